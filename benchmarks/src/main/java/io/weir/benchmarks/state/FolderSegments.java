package io.weir.benchmarks.state;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.state.FrozenState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Segments in a folder of their own, which goes with them. Nothing is deleted before. One I/O thread at a time. */
final class FolderSegments implements SharedSegments, AutoCloseable {
    private final FileStore files = new DiskFileStore();
    private final Path folder;
    private long lastCheckpoint;

    FolderSegments(final Path parent) throws IOException {
        folder = Files.createTempDirectory(parent, "weir-bench-state-");
    }

    Path folder() {
        return folder;
    }

    @Override
    public FileStore files() {
        return files;
    }

    @Override
    public Location create(final long checkpointId, final String suffix) {
        final String name = checkpointId + "-" + suffix;
        return new Location(files, folder.resolve(name), name);
    }

    @Override
    public Location createOwn(final long checkpointId, final String suffix) {
        return create(checkpointId, "own-" + suffix);
    }

    @Override
    public Path path(final SegmentHandle handle) {
        return folder.resolve(handle.file());
    }

    /** Writes a frozen state as a checkpoint does, and closes it; the chain it rests on. */
    List<SegmentHandle> write(final FrozenState frozen) {
        final long checkpointId = ++lastCheckpoint;
        final String name = checkpointId + "-own";
        try (frozen;
                SegmentWriter own = SegmentFiles.create(files, folder.resolve(name), name)) {
            return frozen.writeTo(checkpointId, own);
        }
    }

    /** Bytes of what the last checkpoint wrote under a suffix; it did write something. */
    long lastLength(final String suffix) throws IOException {
        return Files.size(folder.resolve(lastCheckpoint + "-" + suffix));
    }

    @Override
    public void close() {
        delete(folder);
    }

    static void delete(final Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
