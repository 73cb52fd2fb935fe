package io.weir.storage.pagefile;

import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Compares what surrounds the blocks of a segment, header, index and footer, with its handle and with each other. */
final class PageFileCheck {
    private PageFileCheck() {}

    /**
     * Reads the index.
     *
     * @param tolerated takes the damage that leaves the blocks readable: of the header, or bytes too many.
     */
    static PageIndex readIndex(
            final OpenFile file, final SegmentHandle handle, final Consumer<CorruptionException> tolerated) {
        final String name = file.path().toString();
        final long size = Math.min(file.size(), handle.length());
        tolerate(tolerated, () -> Corruption.check(name, size, "length", handle.length(), file.size()));
        final int least = PageFormat.HEADER_LENGTH + PageFormat.FOOTER_LENGTH;
        if (size < least) {
            throw Corruption.at(name, size, "at least " + least + " bytes", size + " bytes");
        }
        tolerate(tolerated, () -> checkHeader(name, read(file, 0, PageFormat.HEADER_LENGTH)));
        final long end = size - PageFormat.FOOTER_LENGTH;
        final ByteBuffer footer = read(file, end, PageFormat.FOOTER_LENGTH);
        checkFooter(name, end, footer);
        final long position = footer.getLong(PageFormat.FOOTER_INDEX_POSITION);
        final int length = footer.getInt(PageFormat.FOOTER_INDEX_LENGTH);
        if (length < 0 || position != end - length || position < PageFormat.HEADER_LENGTH) {
            throw Corruption.at(name, end, "an index that ends at " + end, "[" + position + ", +" + length + ")");
        }
        final ByteBuffer index = read(file, position, length);
        Corruption.checkHex(
                name,
                position,
                "checksum of the index",
                footer.getInt(PageFormat.FOOTER_INDEX_CHECKSUM),
                PageFormat.checksum(index));
        Corruption.checkHex(
                name, position, "checksum of index and footer", handle.checksum(), PageFormat.checksum(index, footer));
        final long records = footer.getLong(PageFormat.FOOTER_RECORDS);
        Corruption.check(name, end + PageFormat.FOOTER_RECORDS, "records", handle.entries(), records);
        return PageIndex.read(name, position, index, records);
    }

    private static void tolerate(final Consumer<CorruptionException> tolerated, final Runnable check) {
        try {
            check.run();
        } catch (final CorruptionException e) {
            tolerated.accept(e);
        }
    }

    private static ByteBuffer read(final OpenFile file, final long position, final int length) {
        final ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        final int found = file.read(position, buffer);
        if (found != length) {
            throw Corruption.at(file.path().toString(), position + found, length + " bytes", found + " bytes");
        }
        return buffer.flip();
    }

    private static void checkHeader(final String name, final ByteBuffer header) {
        Corruption.checkHex(name, 0, "magic", PageFormat.MAGIC, header.getLong(0));
        Corruption.checkHex(
                name,
                PageFormat.HEADER_CHECKSUM,
                "checksum of the header",
                PageFormat.checksum(header.slice(0, PageFormat.HEADER_CHECKSUM)),
                header.getInt(PageFormat.HEADER_CHECKSUM));
        Corruption.check(
                name,
                PageFormat.HEADER_VERSION,
                "version",
                PageFormat.VERSION,
                header.getInt(PageFormat.HEADER_VERSION));
    }

    private static void checkFooter(final String name, final long base, final ByteBuffer footer) {
        Corruption.checkHex(
                name,
                base + PageFormat.FOOTER_MAGIC_OFFSET,
                "magic",
                PageFormat.FOOTER_MAGIC,
                footer.getLong(PageFormat.FOOTER_MAGIC_OFFSET));
        Corruption.checkHex(
                name,
                base + PageFormat.FOOTER_CHECKSUM,
                "checksum of the footer",
                PageFormat.checksum(footer.slice(0, PageFormat.FOOTER_CHECKSUM)),
                footer.getInt(PageFormat.FOOTER_CHECKSUM));
        Corruption.check(
                name,
                base + PageFormat.FOOTER_VERSION,
                "version",
                PageFormat.VERSION,
                footer.getInt(PageFormat.FOOTER_VERSION));
    }
}
