package io.weir.engine.simulation;

import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.file.Path;
import java.util.List;

/** A disk on which nobody forces names, so that a machine that dies may lose files, and renames. */
record UnforcedNames(FileStore files) implements FileStore {
    @Override
    public FileKind kind(final Path path) {
        return files.kind(path);
    }

    @Override
    public List<String> list(final Path directory) {
        return files.list(directory);
    }

    @Override
    public OpenFile create(final Path file) {
        return files.create(file);
    }

    @Override
    public OpenFile open(final Path file) {
        return files.open(file);
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        return files.openReadOnly(file);
    }

    @Override
    public void createDirectory(final Path directory) {
        files.createDirectory(directory);
    }

    @Override
    public void rename(final Path from, final Path to) {
        files.rename(from, to);
    }

    @Override
    public boolean delete(final Path path) {
        return files.delete(path);
    }

    @Override
    public void forceDirectory(final Path directory) {
        // The mistake.
    }

    @Override
    public FileClaim tryClaim(final Path file) {
        return files.tryClaim(file);
    }
}
