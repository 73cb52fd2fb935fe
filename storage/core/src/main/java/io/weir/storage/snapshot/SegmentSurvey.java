package io.weir.storage.snapshot;

import static io.weir.storage.snapshot.SegmentFormat.BLOCK_HEADER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.ENTRY_ALIGNMENT;
import static io.weir.storage.snapshot.SegmentFormat.FOOTER_LENGTH;
import static io.weir.storage.snapshot.SegmentFormat.HEADER_LENGTH;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads what is intact of a segment that may be damaged, for inspection; a restore believes all of a segment or nothing. Every
 * block is compared when it is opened. One thread at a time; may block.
 */
public final class SegmentSurvey implements AutoCloseable {
    private static final int SCANNED_LENGTH = 64 * 1024;
    private static final int LONG_BLOCK = 1024 * 1024;

    private final OpenFile file;
    private final SegmentFileReader reader;
    private final Consumer<CorruptionException> damages;
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[0]);
    private final ByteBuffer scanned = ByteBuffer.allocate(SCANNED_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Section> sections = new ArrayList<>();
    private final List<LongArrayList> blocks = new ArrayList<>();

    private SegmentSurvey(
            final OpenFile file, final List<IndexedSection> index, final Consumer<CorruptionException> damages) {
        this.file = file;
        this.damages = damages;
        reader = new SegmentFileReader(file, index);
    }

    /**
     * Opens a segment and looks for damage everywhere in it.
     *
     * @param files the disk.
     * @param path of the file, which is there.
     * @param handle of the segment, null if it is lost: then the file is compared with itself only.
     * @param damages is told of each damage; the message names file, offset, expected and found.
     * @return what is intact.
     * @throws SnapshotException if the disk can't read it, such as a file that has vanished.
     */
    public static SegmentSurvey open(
            final FileStore files,
            final Path path,
            final SegmentHandle handle,
            final Consumer<CorruptionException> damages) {
        try {
            final OpenFile file = files.openReadOnly(path);
            try {
                return survey(file, handle, damages);
            } catch (final RuntimeException e) {
                file.close();
                throw e;
            }
        } catch (final FileException e) {
            throw new SnapshotException("segment " + path + " can't be read: " + e.getMessage(), e);
        }
    }

    private static SegmentSurvey survey(
            final OpenFile file, final SegmentHandle handle, final Consumer<CorruptionException> damages) {
        final String name = file.path().toString();
        final long size = file.size();
        final int[] count = new int[1];
        final Consumer<CorruptionException> counted = damage -> {
            count[0]++;
            damages.accept(damage);
        };
        final long length = handle == null ? size : Math.min(size, handle.length());
        if (handle != null) {
            tolerate(counted, () -> Corruption.check(name, length, "length", handle.length(), size));
        }
        tolerate(counted, () -> {
            if (length < HEADER_LENGTH) {
                throw Corruption.at(name, length, "at least " + HEADER_LENGTH + " bytes", length + " bytes");
            }
            SegmentFileReader.checkHeader(name, SegmentFileReader.read(file, 0, HEADER_LENGTH));
        });
        final List<IndexedSection> index = index(file, name, length, handle, counted);
        final SegmentSurvey survey = new SegmentSurvey(file, index == null ? List.of() : index, counted);
        if (index == null) {
            survey.surveyWithoutIndex(length);
        } else {
            survey.surveySections(index);
        }
        if (count[0] == 0 && handle != null) {
            // Nothing in it contradicts itself, but it may be another segment than the one that was asked for.
            tolerate(
                    damages,
                    () -> Corruption.checkHex(
                            name,
                            0,
                            "checksum of the whole file",
                            handle.checksum(),
                            SegmentFileReader.checksum(file, size)));
        }
        return survey;
    }

    /** The index, null if it or the footer is damaged. */
    private static List<IndexedSection> index(
            final OpenFile file,
            final String name,
            final long length,
            final SegmentHandle handle,
            final Consumer<CorruptionException> damages) {
        final List<IndexedSection> sections = new ArrayList<>();
        final boolean isWhole = tolerate(damages, () -> {
            final long end = length - FOOTER_LENGTH;
            if (end < HEADER_LENGTH) {
                throw Corruption.at(
                        name, length, "at least " + (HEADER_LENGTH + FOOTER_LENGTH) + " bytes", length + " bytes");
            }
            final ByteBuffer footer = SegmentFileReader.read(file, end, FOOTER_LENGTH);
            SegmentFileReader.checkFooter(name, end, footer);
            sections.addAll(SegmentFileReader.readIndex(file, name, end, footer));
            final long entries = footer.getLong(SegmentFormat.FOOTER_ENTRIES);
            if (handle != null) {
                tolerate(
                        damages,
                        () -> Corruption.check(
                                name, end + SegmentFormat.FOOTER_ENTRIES, "entries", handle.entries(), entries));
            }
        });
        return isWhole ? sections : null;
    }

    /** Says whether a check found nothing. */
    private static boolean tolerate(final Consumer<CorruptionException> damages, final Runnable check) {
        try {
            check.run();
            return true;
        } catch (final CorruptionException e) {
            damages.accept(e);
            return false;
        }
    }

    private void surveySections(final List<IndexedSection> index) {
        for (int number = 0; number < index.size(); number++) {
            final IndexedSection section = index.get(number);
            final LongArrayList intact = new LongArrayList();
            long entries = 0;
            boolean isIntact = true;
            long position = section.start();
            while (position < section.end()) {
                final SegmentFileReader.Block block = tryBlock(number, position, section.end(), damages);
                if (block == null) {
                    isIntact = false;
                    position = nextBlock(position + ENTRY_ALIGNMENT, section.end());
                } else {
                    intact.addLong(position);
                    entries += block.entries();
                    position += BLOCK_HEADER_LENGTH + block.length();
                }
            }
            if (isIntact) {
                final long found = entries;
                isIntact = tolerate(
                        damages,
                        () -> Corruption.check(
                                file.path().toString(),
                                section.end(),
                                "entries of " + section.name(),
                                section.entries(),
                                found));
            }
            blocks.add(intact);
            sections.add(new Section(
                    section.name(),
                    section.attributes(),
                    section.entries(),
                    entries,
                    section.end() - section.start(),
                    isIntact));
        }
    }

    /** Finds the blocks by what they say of themselves; the names of their sections are lost. */
    private void surveyWithoutIndex(final long end) {
        final Map<Integer, LongArrayList> bySection = new TreeMap<>();
        final Map<Integer, long[]> totals = new TreeMap<>();
        long position = nextBlock(HEADER_LENGTH, end);
        while (position < end) {
            final int number = end - position < BLOCK_HEADER_LENGTH
                    ? -1
                    : SegmentFileReader.read(file, position, BLOCK_HEADER_LENGTH)
                            .getInt(SegmentFormat.BLOCK_SECTION);
            final SegmentFileReader.Block block = number < 0 ? null : tryBlock(number, position, end, damages);
            if (block == null) {
                position = nextBlock(position + ENTRY_ALIGNMENT, end);
            } else {
                bySection.computeIfAbsent(number, absent -> new LongArrayList()).addLong(position);
                final long[] total = totals.computeIfAbsent(number, absent -> new long[2]);
                total[0] += block.entries();
                total[1] += BLOCK_HEADER_LENGTH + block.length();
                position += BLOCK_HEADER_LENGTH + block.length();
            }
        }
        bySection.forEach((number, intact) -> {
            final long[] total = totals.get(number);
            blocks.add(intact);
            sections.add(new Section("?" + number, "", -1, total[0], total[1], false));
        });
    }

    /** Reads a block and all its entries; null if it is damaged, and then that has been told. */
    private SegmentFileReader.Block tryBlock(
            final int section, final long position, final long end, final Consumer<CorruptionException> told) {
        try {
            checkLongBlock(position, end);
            final SegmentFileReader.Block block = reader.readBlock(section, position, end, payload);
            reader.visit(position + BLOCK_HEADER_LENGTH, block, payload, (keyGroup, buffer, offset, length) -> {});
            return block;
        } catch (final CorruptionException e) {
            told.accept(e);
            return null;
        }
    }

    /** A block far longer than usual has to show first that its length is no damage, so that no damage asks for that much memory. */
    private void checkLongBlock(final long position, final long end) {
        if (end - position < BLOCK_HEADER_LENGTH) {
            return;
        }
        final ByteBuffer header = SegmentFileReader.read(file, position, BLOCK_HEADER_LENGTH);
        final int length = header.getInt(SegmentFormat.BLOCK_PAYLOAD_LENGTH);
        if (length <= LONG_BLOCK || length > end - position - BLOCK_HEADER_LENGTH) {
            return;
        }
        final CRC32C checksum = new CRC32C();
        checksum.update(header.slice(0, SegmentFormat.BLOCK_CHECKSUM));
        for (long done = 0; done < length; ) {
            scanned.clear().limit((int) Math.min(scanned.capacity(), length - done));
            final int read = file.read(position + BLOCK_HEADER_LENGTH + done, scanned);
            if (read == 0) {
                break;
            }
            checksum.update(scanned.flip());
            done += read;
        }
        Corruption.checkHex(
                file.path().toString(),
                position + SegmentFormat.BLOCK_CHECKSUM,
                "checksum of the block",
                (int) checksum.getValue(),
                header.getInt(SegmentFormat.BLOCK_CHECKSUM));
    }

    /** The next place at or behind a position where a block says that it lies, or the end. */
    private long nextBlock(final long from, final long end) {
        long position = from;
        while (end - position >= BLOCK_HEADER_LENGTH) {
            scanned.clear().limit((int) Math.min(scanned.capacity(), end - position));
            final int length = file.read(position, scanned);
            int offset = 0;
            for (; length - offset >= BLOCK_HEADER_LENGTH; offset += ENTRY_ALIGNMENT) {
                if (scanned.getLong(offset + SegmentFormat.BLOCK_POSITION) == position + offset
                        && scanned.getInt(offset + SegmentFormat.BLOCK_MAGIC_OFFSET) == SegmentFormat.BLOCK_MAGIC) {
                    return position + offset;
                }
            }
            if (offset == 0) {
                return end;
            }
            position += offset;
        }
        return end;
    }

    /**
     * Names the segment.
     *
     * @return its file.
     */
    public String name() {
        return reader.name();
    }

    /**
     * How long the file is.
     *
     * @return in bytes.
     * @throws SnapshotException if the disk can't tell.
     */
    public long bytes() {
        try {
            return file.size();
        } catch (final FileException e) {
            throw new SnapshotException("segment " + name() + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * What there is. Where the index is damaged, the sections are those that intact blocks belong to, named {@code ?0, ?1 ...}.
     *
     * @return the sections in written order.
     */
    public List<Section> sections() {
        return List.copyOf(sections);
    }

    /**
     * Reads the intact entries of a section again.
     *
     * @param section index in {@link #sections()}.
     * @param visitor that takes them in written order.
     * @throws CorruptionException if the file has changed since it was opened.
     * @throws SnapshotException if the disk can't read it.
     */
    public void forEach(final int section, final SegmentReader.Visitor visitor) {
        final String name = sections.get(section).name();
        final int number = sections.get(section).total() < 0 ? Integer.parseInt(name.substring(1)) : section;
        final LongArrayList intact = blocks.get(section);
        for (int i = 0; i < intact.size(); i++) {
            final long position = intact.getLong(i);
            final SegmentFileReader.Block block = reader.readBlock(number, position, Long.MAX_VALUE, payload);
            reader.visit(position + BLOCK_HEADER_LENGTH, block, payload, visitor);
        }
    }

    /** Frees the file. Idempotent. */
    @Override
    public void close() {
        reader.close();
    }

    /**
     * One section.
     *
     * @param name of the section.
     * @param attributes as written.
     * @param total of its entries as the index says, -1 if that is damaged.
     * @param entries of it that are intact.
     * @param bytes of it in the file; without an index those of its intact blocks.
     * @param isIntact whether all of it is.
     */
    public record Section(String name, String attributes, long total, long entries, long bytes, boolean isIntact) {}
}
