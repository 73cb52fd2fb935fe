package io.weir.storage.pagefile;

import static io.weir.storage.pagefile.PageFormat.ALL_LINES;
import static io.weir.storage.pagefile.PageFormat.BLOCK_HEADER_LENGTH;
import static io.weir.storage.pagefile.PageFormat.LINE_LENGTH;
import static io.weir.storage.pagefile.PageFormat.MAX_PAGE_NUMBER;
import static io.weir.storage.pagefile.PageFormat.PAGE_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a page segment front to back: blocks gather in a buffer outside the heap that goes out in large writes. One I/O
 * thread; may block. Allocates nothing per page but the growing index, 8 bytes a block.
 *
 * <p>Errors of the disk are {@link SnapshotException}s that name file and reason; after one, close the writer, which deletes
 * the file (a failed force is never tried again on the same file).
 */
public final class PageSegmentWriter implements AutoCloseable {
    private static final int INITIAL_CAPACITY = 16 * 1024;
    private static final int FLUSH_LENGTH = 256 * 1024;
    private static final int MAX_CAPACITY = FLUSH_LENGTH + PageFormat.MAX_BLOCK_LENGTH;
    private static final int NONE = -1;

    private final FileStore files;
    private final OpenFile file;
    private final String name;
    private final Pacing pacing;
    private final PageIndexBuilder index = new PageIndexBuilder();
    private final CRC32C checksum = new CRC32C();
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private ByteBuffer bytes;
    private int used;
    private long flushed;
    private int blockOffset = NONE;
    private int blockRecords;
    private int lastTable = NONE;
    private int lastKeyGroup = NONE;
    private int lastPageNumber = NONE;
    private State state = State.OPEN;

    PageSegmentWriter(final FileStore files, final OpenFile file, final String name, final Pacing pacing) {
        this.files = files;
        this.file = file;
        this.name = name;
        this.pacing = pacing;
        bytes = ByteBuffer.allocateDirect(INITIAL_CAPACITY);
        buffer.wrap(bytes);
        append(PageFormat.header());
    }

    /**
     * Creates a segment that is written as fast as the disk takes it.
     *
     * @param files the disk.
     * @param path of the new file; its directory is there.
     * @param name to put into the handle: the path from the job's folder on.
     * @return its writer.
     * @throws SnapshotException if the file can't be created.
     */
    public static PageSegmentWriter create(final FileStore files, final Path path, final String name) {
        return create(files, path, name, 0);
    }

    /**
     * Creates a segment whose writer keeps to a bandwidth: it waits before a write, never after the last one. An interrupted
     * thread is not held back.
     *
     * @param files the disk.
     * @param path of the new file; its directory is there.
     * @param name to put into the handle: the path from the job's folder on.
     * @param bytesPerSecond to keep to, 0 for no limit.
     * @return its writer.
     * @throws SnapshotException if the file can't be created.
     */
    public static PageSegmentWriter create(
            final FileStore files, final Path path, final String name, final long bytesPerSecond) {
        return create(files, path, name, new Pacing(bytesPerSecond, SystemNanoClock.INSTANCE, LockSupport::parkNanos));
    }

    static PageSegmentWriter create(final FileStore files, final Path path, final String name, final Pacing pacing) {
        try {
            return new PageSegmentWriter(files, files.create(path), name, pacing);
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name + " can't be created: " + e.getMessage(), e);
        }
    }

    /**
     * Adds a table, at any time before its first page. A table need not have pages.
     *
     * @param table its name, unique in the segment.
     * @param attributes free text kept with it, such as codec signatures.
     * @return the number of the table: 0, 1, 2, ...
     */
    public int table(final String table, final String attributes) {
        checkOpen();
        if (!index.addTable(table, attributes)) {
            throw new IllegalArgumentException("segment " + name + " has two tables " + table);
        }
        return index.tables() - 1;
    }

    /**
     * Adds what is new in one page. Pages come by strictly rising (table, keyGroup, pageNumber).
     *
     * @param table number of its table.
     * @param keyGroup it belongs to, at least 0.
     * @param pageNumber in [0, {@link PageFormat#MAX_PAGE_NUMBER}], unique in (table, keyGroup).
     * @param mask bit i tells that line i, the 64 bytes from {@code offset + 64 * i} on, is new. All bits make the page anew:
     *     what older segments know of it doesn't matter any more (so they must be set for a page that was gone and is there
     *     again since the last segment). No bit: the page is gone.
     * @param page that holds the page; not touched if it is gone.
     * @param offset of the page's 4096 bytes.
     * @throws SnapshotException if the disk can't take the bytes.
     */
    public void page(
            final int table,
            final int keyGroup,
            final int pageNumber,
            final long mask,
            final DirectBuffer page,
            final int offset) {
        checkOpen();
        checkRange(table, keyGroup, pageNumber);
        if (mask != 0) {
            page.boundsCheck(offset, PAGE_LENGTH);
        }
        if (table != lastTable || keyGroup != lastKeyGroup) {
            beginGroup(table, keyGroup, pageNumber);
        } else if (pageNumber <= lastPageNumber) {
            throw outOfOrder(table, keyGroup, pageNumber);
        }
        if (blockOffset == NONE) {
            beginBlock();
        }
        lastPageNumber = pageNumber;
        blockRecords++;
        ensure(PageFormat.MAX_RECORD_LENGTH);
        putRecord(pageNumber, mask, page, offset);
        if (used - blockOffset - BLOCK_HEADER_LENGTH >= PageFormat.BLOCK_FULL) {
            endBlock();
        }
    }

    private void checkRange(final int table, final int keyGroup, final int pageNumber) {
        if (table < 0 || table >= index.tables() || keyGroup < 0 || pageNumber < 0 || pageNumber > MAX_PAGE_NUMBER) {
            throw new IllegalArgumentException("segment " + name + ": table=" + table + " must be in [0, "
                    + index.tables() + "), keyGroup=" + keyGroup + " must be >= 0, pageNumber=" + pageNumber
                    + " must be in [0, " + MAX_PAGE_NUMBER + "]");
        }
    }

    private void beginGroup(final int table, final int keyGroup, final int pageNumber) {
        if (table < lastTable || (table == lastTable && keyGroup < lastKeyGroup)) {
            throw outOfOrder(table, keyGroup, pageNumber);
        }
        endBlock();
        index.beginGroup(table, keyGroup);
        lastTable = table;
        lastKeyGroup = keyGroup;
    }

    private IllegalArgumentException outOfOrder(final int table, final int keyGroup, final int pageNumber) {
        return new IllegalArgumentException("segment " + name + ": (table, keyGroup, pageNumber)=(" + table + ", "
                + keyGroup + ", " + pageNumber + ") must be behind (" + lastTable + ", " + lastKeyGroup + ", "
                + lastPageNumber + ")");
    }

    private void putRecord(final int pageNumber, final long mask, final DirectBuffer page, final int offset) {
        final int lines = Long.bitCount(mask);
        if (mask == ALL_LINES) {
            putWholePage(pageNumber, page, offset);
        } else if (lines > 2) {
            putHead(pageNumber, PageFormat.SOME_LINES);
            putMask(mask);
            putLines(mask, page, offset);
        } else if (lines == 0) {
            putHead(pageNumber, PageFormat.GONE);
        } else {
            putHead(pageNumber, lines == 1 ? PageFormat.ONE_LINE : PageFormat.TWO_LINES);
            putLineNumber(Long.numberOfTrailingZeros(mask));
            if (lines == 2) {
                putLineNumber(Long.SIZE - 1 - Long.numberOfLeadingZeros(mask));
            }
            putLines(mask, page, offset);
        }
    }

    private void putWholePage(final int pageNumber, final DirectBuffer page, final int offset) {
        final long mask = linesNotZero(page, offset);
        if (mask == ALL_LINES) {
            putHead(pageNumber, PageFormat.FULL);
        } else {
            putHead(pageNumber, PageFormat.SPARSE);
            putMask(mask);
        }
        putLines(mask, page, offset);
    }

    private static long linesNotZero(final DirectBuffer page, final int offset) {
        long mask = 0;
        for (int line = 0; line < PageFormat.LINES; line++) {
            final int start = offset + line * LINE_LENGTH;
            for (int i = 0; i < LINE_LENGTH; i += Long.BYTES) {
                if (page.getLong(start + i) != 0) {
                    mask |= 1L << line;
                    break;
                }
            }
        }
        return mask;
    }

    private void putHead(final int pageNumber, final int form) {
        buffer.putInt(used, (form << PageFormat.FORM_SHIFT) | pageNumber, LITTLE_ENDIAN);
        used += Integer.BYTES;
    }

    private void putLineNumber(final int line) {
        buffer.putByte(used++, (byte) line);
    }

    private void putMask(final long mask) {
        buffer.putLong(used, mask, LITTLE_ENDIAN);
        used += Long.BYTES;
    }

    /** Copies the lines of a mask, neighbours at once. */
    private void putLines(final long mask, final DirectBuffer page, final int offset) {
        long rest = mask;
        while (rest != 0) {
            final int first = Long.numberOfTrailingZeros(rest);
            final int run = Long.numberOfTrailingZeros(~(rest >>> first));
            final int length = run * LINE_LENGTH;
            buffer.putBytes(used, page, offset + first * LINE_LENGTH, length);
            used += length;
            rest &= PageFormat.linesFrom(first + run);
        }
    }

    private void beginBlock() {
        ensure(BLOCK_HEADER_LENGTH);
        blockOffset = used;
        blockRecords = 0;
        used += BLOCK_HEADER_LENGTH;
    }

    private void endBlock() {
        if (blockOffset == NONE) {
            return;
        }
        final int start = blockOffset;
        final int payload = used - start - BLOCK_HEADER_LENGTH;
        buffer.putLong(start + PageFormat.BLOCK_POSITION, flushed + start, LITTLE_ENDIAN);
        buffer.putInt(start + PageFormat.BLOCK_TABLE, lastTable, LITTLE_ENDIAN);
        buffer.putInt(start + PageFormat.BLOCK_KEY_GROUP, lastKeyGroup, LITTLE_ENDIAN);
        buffer.putInt(start + PageFormat.BLOCK_PAYLOAD_LENGTH, payload, LITTLE_ENDIAN);
        buffer.putInt(start + PageFormat.BLOCK_RECORDS, blockRecords, LITTLE_ENDIAN);
        buffer.putInt(start + PageFormat.BLOCK_MAGIC_OFFSET, PageFormat.BLOCK_MAGIC, LITTLE_ENDIAN);
        checksum.reset();
        checksum.update(bytes.limit(start + PageFormat.BLOCK_CHECKSUM).position(start));
        checksum.update(bytes.limit(used).position(start + BLOCK_HEADER_LENGTH));
        buffer.putInt(start + PageFormat.BLOCK_CHECKSUM, (int) checksum.getValue(), LITTLE_ENDIAN);
        index.addBlock(blockRecords, payload, (int) checksum.getValue());
        blockOffset = NONE;
        if (used >= FLUSH_LENGTH) {
            flush();
        }
    }

    /** Adds bytes outside of blocks. */
    private void append(final byte[] source) {
        for (int from = 0; from < source.length; ) {
            if (used >= FLUSH_LENGTH) {
                flush();
            }
            final int part = Math.min(source.length - from, FLUSH_LENGTH - used);
            ensure(part);
            buffer.putBytes(used, source, from, part);
            used += part;
            from += part;
        }
    }

    private void ensure(final int length) {
        if (used + length > bytes.capacity()) {
            grow(used + length);
        }
    }

    private void grow(final int needed) {
        assert needed <= MAX_CAPACITY : needed;
        final ByteBuffer old = bytes;
        final ByteBuffer grown =
                ByteBuffer.allocateDirect(Math.min(MAX_CAPACITY, Math.max(needed, 4 * old.capacity())));
        grown.put(0, old.clear(), 0, used);
        bytes = grown;
        buffer.wrap(grown);
        BufferUtil.free(old);
    }

    private void flush() {
        pacing.awaitDue(flushed);
        try {
            file.write(flushed, bytes.limit(used).position(0));
        } catch (final FileException e) {
            throw failed("written", e);
        }
        flushed += used;
        used = 0;
    }

    /**
     * Writes index and footer, forces everything to disk, and closes the file; its name is durable only once its directory is
     * forced.
     *
     * @return what a manifest has to know to find and check it: length in bytes, checksum of index and footer (which vouches
     *     for the rest), and the number of page records.
     * @throws SnapshotException if that failed.
     */
    public SegmentHandle finish() {
        checkOpen();
        endBlock();
        final byte[] indexBytes = index.bytes();
        final byte[] footer = PageFormat.footer(flushed + used, indexBytes, index.records());
        append(indexBytes);
        append(footer);
        flush();
        try {
            file.force();
            file.close();
        } catch (final FileException e) {
            throw failed("forced", e);
        }
        state = State.FINISHED;
        free();
        final int vouching = PageFormat.checksum(ByteBuffer.wrap(indexBytes), ByteBuffer.wrap(footer));
        return new SegmentHandle(name, flushed, vouching, index.records());
    }

    private void free() {
        buffer.wrap(0, 0);
        BufferUtil.free(bytes);
        bytes = null;
    }

    private SnapshotException failed(final String verb, final FileException e) {
        state = State.FAILED;
        return new SnapshotException("segment " + name + " can't be " + verb + ": " + e.getMessage(), e);
    }

    private void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("segment " + name + " is " + state);
        }
    }

    /** Abandons the segment unless it was finished: deletes what was written. Idempotent. */
    @Override
    public void close() {
        if (state == State.FINISHED || state == State.ABANDONED) {
            return;
        }
        state = State.ABANDONED;
        free();
        try {
            try {
                file.close();
            } finally {
                files.delete(file.path());
            }
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name + " can't be abandoned: " + e.getMessage(), e);
        }
    }

    private enum State {
        OPEN,
        FINISHED,
        FAILED,
        ABANDONED
    }
}
