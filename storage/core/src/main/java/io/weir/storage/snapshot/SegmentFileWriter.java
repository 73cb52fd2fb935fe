package io.weir.storage.snapshot;

import static io.weir.storage.snapshot.SegmentFormat.BLOCK_HEADER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.ENTRY_ALIGNMENT;
import static io.weir.storage.snapshot.SegmentFormat.ENTRY_HEADER_LENGTH;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes a segment file front to back: blocks gather in a buffer that goes out in large writes. */
final class SegmentFileWriter implements SegmentWriter {
    private static final int INITIAL_CAPACITY = 4 * 1024;
    private static final int FLUSH_LENGTH = 64 * 1024;
    private static final int NO_BLOCK = -1;

    private final FileStore files;
    private final OpenFile file;
    private final String name;
    private final List<IndexedSection> sections = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final CRC32C fileChecksum = new CRC32C();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[INITIAL_CAPACITY]);
    private int used;
    private long flushed;
    private int blockOffset = NO_BLOCK;
    private int blockEntries;
    private long sectionStart;
    private long sectionEntries;
    private long entries;
    private State state = State.OPEN;

    SegmentFileWriter(final FileStore files, final OpenFile file, final String name) {
        this.files = files;
        this.file = file;
        this.name = name;
        append(SegmentFormat.header());
    }

    @Override
    public void beginSection(final String section, final String attributes) {
        checkOpen();
        if (!names.add(section)) {
            throw new IllegalArgumentException("segment " + name + " has two sections " + section);
        }
        endSection();
        sections.add(new IndexedSection(section, attributes, 0, 0, 0));
        sectionStart = flushed + used;
        sectionEntries = 0;
    }

    private void endSection() {
        endBlock();
        if (!sections.isEmpty()) {
            final int last = sections.size() - 1;
            final IndexedSection section = sections.get(last);
            sections.set(
                    last,
                    new IndexedSection(
                            section.name(), section.attributes(), sectionStart, flushed + used, sectionEntries));
        }
    }

    @Override
    public void entry(final int keyGroup, final DirectBuffer source, final int offset, final int length) {
        checkOpen();
        if (sections.isEmpty()) {
            throw new IllegalStateException("segment " + name + ": an entry before the first section");
        }
        if (keyGroup < -1 || length < 0 || length > SegmentFormat.MAX_ENTRY_LENGTH) {
            throw new IllegalArgumentException("segment " + name + ": keyGroup=" + keyGroup + " must be >= -1, length="
                    + length + " must be in [0, " + SegmentFormat.MAX_ENTRY_LENGTH + "]");
        }
        if (blockOffset == NO_BLOCK) {
            beginBlock();
        }
        final int start = used;
        final int aligned = BitUtil.align(ENTRY_HEADER_LENGTH + length, ENTRY_ALIGNMENT);
        ensure(aligned);
        used += aligned;
        buffer.putInt(start + SegmentFormat.ENTRY_KEY_GROUP, keyGroup, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(start + SegmentFormat.ENTRY_LENGTH, length, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(start + ENTRY_HEADER_LENGTH, source, offset, length);
        final int padding = start + ENTRY_HEADER_LENGTH + length;
        buffer.setMemory(padding, used - padding, (byte) 0);
        blockEntries++;
        sectionEntries++;
        entries++;
        if (used - blockOffset - BLOCK_HEADER_LENGTH >= SegmentFormat.BLOCK_FULL) {
            endBlock();
        }
    }

    private void beginBlock() {
        blockOffset = used;
        blockEntries = 0;
        ensure(BLOCK_HEADER_LENGTH);
        used += BLOCK_HEADER_LENGTH;
    }

    private void endBlock() {
        if (blockOffset == NO_BLOCK) {
            return;
        }
        final int start = blockOffset;
        final int payload = used - start - BLOCK_HEADER_LENGTH;
        final ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        buffer.putLong(start + SegmentFormat.BLOCK_POSITION, flushed + start, order);
        buffer.putInt(start + SegmentFormat.BLOCK_SECTION, sections.size() - 1, order);
        buffer.putInt(start + SegmentFormat.BLOCK_PAYLOAD_LENGTH, payload, order);
        buffer.putInt(start + SegmentFormat.BLOCK_ENTRIES, blockEntries, order);
        buffer.putInt(start + SegmentFormat.BLOCK_MAGIC_OFFSET, SegmentFormat.BLOCK_MAGIC, order);
        buffer.putInt(start + SegmentFormat.BLOCK_RESERVED, 0, order);
        final CRC32C checksum = new CRC32C();
        checksum.update(buffer.byteArray(), start, SegmentFormat.BLOCK_CHECKSUM);
        checksum.update(buffer.byteArray(), start + BLOCK_HEADER_LENGTH, payload);
        buffer.putInt(start + SegmentFormat.BLOCK_CHECKSUM, (int) checksum.getValue(), order);
        blockOffset = NO_BLOCK;
        if (used >= FLUSH_LENGTH) {
            flush();
        }
    }

    private void append(final byte[] bytes) {
        ensure(bytes.length);
        buffer.putBytes(used, bytes);
        used += bytes.length;
    }

    private void ensure(final int length) {
        final long needed = (long) used + length;
        if (needed > buffer.capacity()) {
            final long doubled = Math.min(Integer.MAX_VALUE - 8, Math.max(needed, buffer.capacity() * 2L));
            buffer.wrap(Arrays.copyOf(buffer.byteArray(), (int) doubled));
        }
    }

    private void flush() {
        fileChecksum.update(buffer.byteArray(), 0, used);
        try {
            file.write(flushed, ByteBuffer.wrap(buffer.byteArray(), 0, used));
        } catch (final FileException e) {
            throw failed("written", e);
        }
        flushed += used;
        used = 0;
        if (buffer.capacity() > 4 * FLUSH_LENGTH) {
            buffer.wrap(new byte[2 * FLUSH_LENGTH]);
        }
    }

    @Override
    public SegmentHandle finish() {
        checkOpen();
        endSection();
        final long indexPosition = flushed + used;
        final byte[] index = index();
        append(index);
        append(SegmentFormat.footer(indexPosition, index, entries));
        flush();
        try {
            file.force();
            file.close();
        } catch (final FileException e) {
            throw failed("forced", e);
        }
        state = State.FINISHED;
        return new SegmentHandle(name, flushed, (int) fileChecksum.getValue(), entries);
    }

    private byte[] index() {
        final FieldWriter out = new FieldWriter();
        out.putInt(sections.size());
        for (final IndexedSection section : sections) {
            out.putString(section.name());
            out.putString(section.attributes());
            out.putLong(section.start());
            out.putLong(section.end());
            out.putLong(section.entries());
        }
        return out.fields();
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

    @Override
    public void close() {
        if (state == State.FINISHED || state == State.ABANDONED) {
            return;
        }
        state = State.ABANDONED;
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
