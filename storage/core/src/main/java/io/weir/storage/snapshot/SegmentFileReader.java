package io.weir.storage.snapshot;

import static io.weir.storage.snapshot.SegmentFormat.BLOCK_HEADER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.ENTRY_ALIGNMENT;
import static io.weir.storage.snapshot.SegmentFormat.ENTRY_HEADER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.FOOTER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.HEADER_LENGTH;

import io.weir.storage.file.FileException;
import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a segment file and believes nothing that it has not compared. */
final class SegmentFileReader implements SegmentReader {
    private static final int READ_LENGTH = 256 * 1024;

    private final OpenFile file;
    private final String name;
    private final List<IndexedSection> index;

    SegmentFileReader(final OpenFile file, final List<IndexedSection> index) {
        this.file = file;
        this.name = file.path().toString();
        this.index = index;
    }

    static SegmentReader open(final OpenFile file, final SegmentHandle handle) {
        final String name = file.path().toString();
        final long size = file.size();
        Corruption.check(name, Math.min(size, handle.length()), "length", handle.length(), size);
        if (size < HEADER_LENGTH + FOOTER_LENGTH) {
            throw Corruption.at(name, size, "at least " + (HEADER_LENGTH + FOOTER_LENGTH) + " bytes", size + " bytes");
        }
        Corruption.checkHex(name, 0, "checksum of the whole file", handle.checksum(), checksum(file, size));
        checkHeader(name, read(file, 0, HEADER_LENGTH));
        final ByteBuffer footer = read(file, size - FOOTER_LENGTH, FOOTER_LENGTH);
        checkFooter(name, size - FOOTER_LENGTH, footer);
        final long entries = footer.getLong(SegmentFormat.FOOTER_ENTRIES);
        Corruption.check(
                name, size - FOOTER_LENGTH + SegmentFormat.FOOTER_ENTRIES, "entries", handle.entries(), entries);
        return new SegmentFileReader(file, readIndex(file, name, size - FOOTER_LENGTH, footer));
    }

    static int checksum(final OpenFile file, final long size) {
        final CRC32C checksum = new CRC32C();
        final ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, READ_LENGTH));
        for (long position = 0; position < size; position += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), size - position));
            readFully(file, position, buffer);
            checksum.update(buffer);
        }
        return (int) checksum.getValue();
    }

    static ByteBuffer read(final OpenFile file, final long position, final int length) {
        final ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        readFully(file, position, buffer);
        return buffer;
    }

    private static void readFully(final OpenFile file, final long position, final ByteBuffer buffer) {
        final int wanted = buffer.remaining();
        final int length = file.read(position, buffer);
        if (length != wanted) {
            throw Corruption.at(file.path().toString(), position + length, wanted + " bytes", length + " bytes");
        }
        buffer.flip();
    }

    static void checkHeader(final String name, final ByteBuffer header) {
        Corruption.checkHex(name, 0, "magic", SegmentFormat.MAGIC, header.getLong(0));
        Corruption.checkHex(
                name,
                SegmentFormat.HEADER_CHECKSUM,
                "checksum",
                SegmentFormat.checksum(header.slice(0, SegmentFormat.HEADER_CHECKSUM)),
                header.getInt(SegmentFormat.HEADER_CHECKSUM));
        Corruption.check(
                name,
                SegmentFormat.HEADER_VERSION,
                "version",
                SegmentFormat.VERSION,
                header.getInt(SegmentFormat.HEADER_VERSION));
    }

    static void checkFooter(final String name, final long base, final ByteBuffer footer) {
        Corruption.checkHex(
                name,
                base + SegmentFormat.FOOTER_MAGIC_OFFSET,
                "magic",
                SegmentFormat.FOOTER_MAGIC,
                footer.getLong(SegmentFormat.FOOTER_MAGIC_OFFSET));
        Corruption.checkHex(
                name,
                base + SegmentFormat.FOOTER_CHECKSUM,
                "checksum",
                SegmentFormat.checksum(footer.slice(0, SegmentFormat.FOOTER_CHECKSUM)),
                footer.getInt(SegmentFormat.FOOTER_CHECKSUM));
        Corruption.check(
                name,
                base + SegmentFormat.FOOTER_VERSION,
                "version",
                SegmentFormat.VERSION,
                footer.getInt(SegmentFormat.FOOTER_VERSION));
    }

    static List<IndexedSection> readIndex(
            final OpenFile file, final String name, final long end, final ByteBuffer footer) {
        final long position = footer.getLong(SegmentFormat.FOOTER_INDEX_POSITION);
        final int length = footer.getInt(SegmentFormat.FOOTER_INDEX_LENGTH);
        if (length < 0 || position != end - length || position < HEADER_LENGTH) {
            throw Corruption.at(name, end, "an index that ends at " + end, "[" + position + ", +" + length + ")");
        }
        final ByteBuffer bytes = read(file, position, length);
        Corruption.checkHex(
                name,
                position,
                "checksum of the index",
                footer.getInt(SegmentFormat.FOOTER_INDEX_CHECKSUM),
                SegmentFormat.checksum(bytes.slice()));
        final FieldReader in = new FieldReader(name, position, bytes);
        final int count = in.getCount(SegmentFormat.MIN_INDEXED_SECTION_LENGTH);
        final List<IndexedSection> sections = new ArrayList<>(count);
        final Set<String> names = new HashSet<>();
        long expectedStart = HEADER_LENGTH;
        long entries = 0;
        for (int i = 0; i < count; i++) {
            final IndexedSection section =
                    new IndexedSection(in.getString(), in.getString(), in.getLong(), in.getLong(), in.getLong());
            Corruption.check(name, position, section.name() + " starts at", expectedStart, section.start());
            if (section.end() < section.start() || section.end() > position || section.entries() < 0) {
                throw Corruption.at(name, position, "a section within the file", section.toString());
            }
            if (!names.add(section.name())) {
                throw Corruption.at(name, position, "unique section names", "two sections " + section.name());
            }
            expectedStart = section.end();
            entries += section.entries();
            sections.add(section);
        }
        in.end();
        Corruption.check(name, position, "the index begins at", expectedStart, position);
        Corruption.check(name, position, "entries", footer.getLong(SegmentFormat.FOOTER_ENTRIES), entries);
        return sections;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Section> sections() {
        return index.stream()
                .map(section -> new Section(section.name(), section.attributes(), section.entries()))
                .toList();
    }

    @Override
    public long forEach(final String section, final Visitor visitor) {
        for (int i = 0; i < index.size(); i++) {
            if (index.get(i).name().equals(section)) {
                return readSection(i, index.get(i), visitor);
            }
        }
        return 0;
    }

    private long readSection(final int number, final IndexedSection section, final Visitor visitor) {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[0]);
        long position = section.start();
        long entries = 0;
        while (position < section.end()) {
            final Block block = readBlock(number, position, section.end(), payload);
            visit(position + BLOCK_HEADER_LENGTH, block, payload, visitor);
            entries += block.entries;
            position += BLOCK_HEADER_LENGTH + block.length;
        }
        Corruption.check(name, section.end(), "entries of " + section.name(), section.entries(), entries);
        return entries;
    }

    /** Reads the payload of the block at a position into a buffer, which grows where needed, and compares everything. */
    Block readBlock(final int section, final long position, final long end, final UnsafeBuffer payload) {
        if (end - position < BLOCK_HEADER_LENGTH) {
            throw Corruption.at(name, position, "a block", (end - position) + " bytes to the end of its section");
        }
        try {
            final ByteBuffer header = read(file, position, BLOCK_HEADER_LENGTH);
            final int magic = header.getInt(SegmentFormat.BLOCK_MAGIC_OFFSET);
            Corruption.checkHex(
                    name, position + SegmentFormat.BLOCK_MAGIC_OFFSET, "magic", SegmentFormat.BLOCK_MAGIC, magic);
            final int length = header.getInt(SegmentFormat.BLOCK_PAYLOAD_LENGTH);
            if (length < 0 || length > end - position - BLOCK_HEADER_LENGTH) {
                throw Corruption.at(
                        name,
                        position + SegmentFormat.BLOCK_PAYLOAD_LENGTH,
                        "a block that ends before " + end,
                        length + " bytes");
            }
            if (length > payload.capacity()) {
                payload.wrap(new byte[Math.max(length, SegmentFormat.BLOCK_FULL + BLOCK_HEADER_LENGTH)]);
            }
            readFully(file, position + BLOCK_HEADER_LENGTH, ByteBuffer.wrap(payload.byteArray(), 0, length));
            final CRC32C checksum = new CRC32C();
            checksum.update(header.slice(0, SegmentFormat.BLOCK_CHECKSUM));
            checksum.update(payload.byteArray(), 0, length);
            Corruption.checkHex(
                    name,
                    position + SegmentFormat.BLOCK_CHECKSUM,
                    "checksum of the block",
                    (int) checksum.getValue(),
                    header.getInt(SegmentFormat.BLOCK_CHECKSUM));
            Corruption.check(name, position, "block position", position, header.getLong(SegmentFormat.BLOCK_POSITION));
            final int foundSection = header.getInt(SegmentFormat.BLOCK_SECTION);
            Corruption.check(name, position + SegmentFormat.BLOCK_SECTION, "section", section, foundSection);
            final int reserved = header.getInt(SegmentFormat.BLOCK_RESERVED);
            Corruption.check(name, position + SegmentFormat.BLOCK_RESERVED, "reserved", 0, reserved);
            return new Block(length, header.getInt(SegmentFormat.BLOCK_ENTRIES));
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name + " can't be read: " + e.getMessage(), e);
        }
    }

    void visit(final long base, final Block block, final UnsafeBuffer payload, final Visitor visitor) {
        int offset = 0;
        int entries = 0;
        while (offset < block.length) {
            final int remaining = block.length - offset - ENTRY_HEADER_LENGTH;
            final int length =
                    remaining < 0 ? -1 : payload.getInt(offset + SegmentFormat.ENTRY_LENGTH, ByteOrder.LITTLE_ENDIAN);
            if (length < 0 || BitUtil.align((long) length, ENTRY_ALIGNMENT) > remaining) {
                throw Corruption.at(name, base + offset, "an entry within " + remaining + " bytes", length + " bytes");
            }
            final int keyGroup = payload.getInt(offset + SegmentFormat.ENTRY_KEY_GROUP, ByteOrder.LITTLE_ENDIAN);
            if (keyGroup < -1) {
                throw Corruption.at(name, base + offset, "a key group", "" + keyGroup);
            }
            visitor.onEntry(keyGroup, payload, offset + ENTRY_HEADER_LENGTH, length);
            offset += ENTRY_HEADER_LENGTH + BitUtil.align(length, ENTRY_ALIGNMENT);
            entries++;
        }
        Corruption.check(name, base, "entries of the block", block.entries, entries);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name + " can't be closed: " + e.getMessage(), e);
        }
    }

    /** What a block holds. */
    record Block(int length, int entries) {}
}
