package io.weir.storage.file;

import java.nio.file.Path;
import java.util.List;

/**
 * The disk: the one seam behind which files are created, written, forced, renamed and locked. What was not forced may be
 * lost, whole or in parts, when the machine dies; a name is durable only once its directory was forced. Any thread; every
 * call may block; all errors are {@link FileException}s.
 */
public interface FileStore {
    /**
     * Looks what is under a name.
     *
     * @param path to look at.
     * @return what is there.
     */
    FileKind kind(Path path);

    /**
     * Lists a directory.
     *
     * @param directory to list.
     * @return the names in it, sorted.
     */
    List<String> list(Path directory);

    /**
     * Creates an empty file for reading and writing. Fails if the name is taken.
     *
     * @param file to create.
     * @return the open file.
     */
    OpenFile create(Path file);

    /**
     * Opens a file that is there for reading and writing.
     *
     * @param file to open.
     * @return the open file.
     */
    OpenFile open(Path file);

    /**
     * Opens a file that is there for reading only.
     *
     * @param file to open.
     * @return the open file.
     */
    OpenFile openReadOnly(Path file);

    /**
     * Creates a directory in one that is there. Fails if the name is taken.
     *
     * @param directory to create.
     */
    void createDirectory(Path directory);

    /**
     * Gives a file another name in the same file system, atomically; a file that had that name is replaced.
     *
     * @param from its name now.
     * @param to its new name.
     */
    void rename(Path from, Path to);

    /**
     * Deletes a file or an empty directory.
     *
     * @param path to delete.
     * @return whether there was one.
     */
    boolean delete(Path path);

    /**
     * Makes the names in a directory durable: files and directories created, renamed and deleted in it.
     *
     * @param directory to force.
     */
    void forceDirectory(Path directory);

    /**
     * Locks a file, which is created if it is missing. Nobody else gets the lock, in this process or another, until it is
     * closed or the process dies.
     *
     * @param file to lock; nothing but this method opens it.
     * @return the lock, or null if somebody holds it.
     */
    FileClaim tryClaim(Path file);
}
