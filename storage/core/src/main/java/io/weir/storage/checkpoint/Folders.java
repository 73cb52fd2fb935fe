package io.weir.storage.checkpoint;

import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import java.nio.file.Path;

/** Folders, made and deleted. May block. */
final class Folders {
    private Folders() {}

    /**
     * Makes a folder if it is missing; its name is durable in any case (the one who made it may have died too early).
     *
     * @param what it is, for messages.
     */
    static void make(final FileStore files, final Path folder, final String what) {
        switch (files.kind(folder)) {
            case DIRECTORY -> {
                // Made earlier.
            }
            case ABSENT -> {
                final Path parent = folder.getParent();
                switch (parent == null ? FileKind.ABSENT : files.kind(parent)) {
                    case DIRECTORY -> files.createDirectory(folder);
                    case ABSENT ->
                        throw new CheckpointStorageException(
                                what + " " + folder + " can't be made: its parent folder is missing");
                    default ->
                        throw new CheckpointStorageException(
                                what + " " + folder + " can't be made: its parent is not a folder");
                }
            }
            default -> throw new CheckpointStorageException(what + " " + folder + " is not a folder");
        }
        if (folder.getParent() != null) {
            files.forceDirectory(folder.getParent());
        }
    }

    /** Deletes a folder with the files in it. */
    static void delete(final FileStore files, final Path folder) {
        files.list(folder).forEach(name -> files.delete(folder.resolve(name)));
        files.delete(folder);
    }
}
