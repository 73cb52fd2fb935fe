package io.weir.storage.chronicle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The checksum of a row of records, which can be taken up again where it was left: for each record the CRC32C of
 *
 * <pre>
 *   0                               4        8
 *   +-------------------------------+--------+-------- ...
 *   | checksum of those before, or 0| length | bytes   ...   little-endian
 *   +-------------------------------+--------+-------- ...
 * </pre>
 */
final class RecordChecksum {
    static final int NO_RECORDS = 0;

    private static final int HEADER_LENGTH = 8;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer frame = newFrame(1 << 12);

    /** The checksum of a row with one more record. */
    int with(final int before, final UnsafeBuffer record) {
        final int length = record.capacity();
        if (HEADER_LENGTH + length > frame.capacity()) {
            frame = newFrame(HEADER_LENGTH + length);
        }
        frame.putInt(0, before).putInt(Integer.BYTES, length);
        record.getBytes(0, frame.array(), HEADER_LENGTH, length);
        crc.reset();
        crc.update(frame.array(), 0, HEADER_LENGTH + length);
        return (int) crc.getValue();
    }

    private static ByteBuffer newFrame(final int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
