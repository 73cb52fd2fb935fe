package io.weir.storage.inspect;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A disk for reading only, on which something happens before a file is opened. */
public final class HookedFileStore implements FileStore {
    private final FileStore files;
    private final Consumer<Path> beforeOpen;

    /** A disk, and what happens before each opening of a file on it. */
    public HookedFileStore(final FileStore files, final Consumer<Path> beforeOpen) {
        this.files = files;
        this.beforeOpen = beforeOpen;
    }

    @Override
    public FileKind kind(final Path path) {
        return files.kind(path);
    }

    @Override
    public List<String> list(final Path directory) {
        return files.list(directory);
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        beforeOpen.accept(file);
        return files.openReadOnly(file);
    }

    @Override
    public OpenFile create(final Path file) {
        throw new AssertionError("creates " + file);
    }

    @Override
    public OpenFile open(final Path file) {
        throw new AssertionError("opens " + file + " to write");
    }

    @Override
    public void createDirectory(final Path directory) {
        throw new AssertionError("creates " + directory);
    }

    @Override
    public void rename(final Path from, final Path to) {
        throw new AssertionError("renames " + from);
    }

    @Override
    public boolean delete(final Path path) {
        throw new AssertionError("deletes " + path);
    }

    @Override
    public void forceDirectory(final Path directory) {
        throw new AssertionError("forces " + directory);
    }

    @Override
    public FileClaim tryClaim(final Path file) {
        throw new AssertionError("claims " + file);
    }
}
