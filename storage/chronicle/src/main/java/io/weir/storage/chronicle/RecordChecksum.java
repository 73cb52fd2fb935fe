package io.weir.storage.chronicle;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.zip.CRC32C;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The checksum of a row of records, which can be taken up again where it was left: for each record the CRC32C of
 *
 * <pre>
 *   0                                4        8
 *   +--------------------------------+--------+-------- ...
 *   | checksum of those before, or 0 | length | bytes   ...   little-endian
 *   +--------------------------------+--------+-------- ...
 * </pre>
 */
final class RecordChecksum {
    static final int NO_RECORDS = 0;

    private static final int HEADER_LENGTH = 8;

    private final CRC32C crc = new CRC32C();
    private final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();

    /** The checksum of a row with one more record. */
    int with(final int before, final UnsafeBuffer record) {
        final int length = record.capacity();
        frame.putInt(0, before, LITTLE_ENDIAN);
        frame.putInt(Integer.BYTES, length, LITTLE_ENDIAN);
        frame.putBytes(HEADER_LENGTH, record, 0, length);
        crc.reset();
        crc.update(frame.byteArray(), 0, HEADER_LENGTH + length);
        return (int) crc.getValue();
    }
}
