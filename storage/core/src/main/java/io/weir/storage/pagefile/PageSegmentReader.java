package io.weir.storage.pagefile;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileMapping;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * An open page segment: its blocks are mapped, its index is in memory. The file may be deleted while it is open, but never
 * made shorter. Immutable, any thread, until it is closed.
 */
public final class PageSegmentReader implements AutoCloseable {
    private static final int MAX_MAPPING_LENGTH = 1 << 30;

    private final Path path;
    private final String name;
    private final long length;
    private final PageIndex index;
    private final List<FileMapping> mappings = new ArrayList<>();
    /** Of each mapping, and one more: the number of blocks. No block lies in two mappings. */
    private final List<Integer> firstBlocks = new ArrayList<>();

    private PageSegmentReader(final Path path, final long length, final PageIndex index) {
        this.path = path;
        this.name = path.toString();
        this.length = length;
        this.index = index;
    }

    /**
     * Opens a segment: compares length, header, index and footer with the handle. Reads no block; O(index). May block.
     *
     * @param files the disk.
     * @param path of the file.
     * @param handle of the segment.
     * @return the open segment.
     * @throws CorruptionException if it is missing or damaged.
     * @throws SnapshotException if the disk can't read it.
     */
    public static PageSegmentReader open(final FileStore files, final Path path, final SegmentHandle handle) {
        return open(files, path, handle, MAX_MAPPING_LENGTH);
    }

    static PageSegmentReader open(
            final FileStore files, final Path path, final SegmentHandle handle, final int maxMappingLength) {
        return open(files, path, handle, maxMappingLength, damage -> {
            throw damage;
        });
    }

    /**
     * Opens a segment for inspection: a damaged header and bytes behind the end are told of only.
     *
     * @param files the disk.
     * @param path of the file.
     * @param handle of the segment.
     * @param damages is told of the damage.
     * @return the open segment.
     * @throws CorruptionException if it is missing, too short or another one, or its index is damaged.
     * @throws SnapshotException if the disk can't read it.
     */
    public static PageSegmentReader openTolerantly(
            final FileStore files,
            final Path path,
            final SegmentHandle handle,
            final Consumer<CorruptionException> damages) {
        return open(files, path, handle, MAX_MAPPING_LENGTH, damages);
    }

    private static PageSegmentReader open(
            final FileStore files,
            final Path path,
            final SegmentHandle handle,
            final int maxMappingLength,
            final Consumer<CorruptionException> tolerated) {
        try {
            if (files.kind(path) == FileKind.ABSENT) {
                throw Corruption.at(path.toString(), 0, "a segment of " + handle.length() + " bytes", "no file");
            }
            // What is mapped stays so when the file is closed.
            try (OpenFile file = files.openReadOnly(path)) {
                final PageIndex index = PageFileCheck.readIndex(file, handle, tolerated);
                final PageSegmentReader reader = new PageSegmentReader(path, handle.length(), index);
                reader.map(file, maxMappingLength);
                return reader;
            }
        } catch (final FileException e) {
            throw new SnapshotException("segment " + path + " can't be read: " + e.getMessage(), e);
        }
    }

    private void map(final OpenFile file, final int maxLength) {
        try {
            int first = 0;
            while (first < index.blocks()) {
                final long start = index.blockPosition(first);
                int end = first + 1;
                while (end < index.blocks() && index.blockPosition(end + 1) - start <= maxLength) {
                    end++;
                }
                mappings.add(file.map(start, (int) (index.blockPosition(end) - start)));
                firstBlocks.add(first);
                first = end;
            }
            firstBlocks.add(first);
        } catch (final FileException e) {
            close();
            throw e;
        }
    }

    /**
     * Names the segment in errors.
     *
     * @return its file.
     */
    public String name() {
        return name;
    }

    /**
     * How long the file is.
     *
     * @return in bytes.
     */
    public long bytes() {
        return length;
    }

    /**
     * Compares every block with its checksum and reads all its records. May wait for the disk.
     *
     * @param damages is told of each damaged block; the message names file, offset, expected and found.
     */
    public void verify(final Consumer<CorruptionException> damages) {
        final GroupScanner scanner = new GroupScanner(new RecordVisitor() {
            @Override
            public void onLines(final int pageNumber, final long mask, final int mapping, final int offset) {
                // Only whether it can be read counts.
            }

            @Override
            public void onPage(final int pageNumber, final long mask, final int mapping, final int offset) {
                // Only whether it can be read counts.
            }

            @Override
            public void onGone(final int pageNumber) {
                // Only whether it can be read counts.
            }
        });
        for (int group = 0; group < index.groups(); group++) {
            scanner.verify(this, group, damages);
        }
    }

    Path path() {
        return path;
    }

    PageIndex index() {
        return index;
    }

    int mappings() {
        return mappings.size();
    }

    DirectBuffer mapping(final int number) {
        return mappings.get(number).buffer();
    }

    int mappingOfBlock(final int block) {
        int mapping = 0;
        while (firstBlocks.get(mapping + 1) <= block) {
            mapping++;
        }
        return mapping;
    }

    /** Where a mapping begins in the file. */
    long mappingPosition(final int number) {
        return index.blockPosition(firstBlocks.get(number));
    }

    /** Takes the file out of memory. Nobody may be reading it. Idempotent. */
    @Override
    public void close() {
        mappings.forEach(FileMapping::close);
    }
}
