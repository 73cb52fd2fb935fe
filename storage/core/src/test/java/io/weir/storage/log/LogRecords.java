package io.weir.storage.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Takes down what a reader hands over, and compares records. */
public final class LogRecords implements LogHandler {
    private final List<byte[]> records = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();
    private final List<Long> nextPositions = new ArrayList<>();

    @Override
    public boolean onRecord(
            final long position,
            final long nextPosition,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final byte[] record = new byte[length];
        buffer.getBytes(offset, record);
        records.add(record);
        positions.add(position);
        nextPositions.add(nextPosition);
        return true;
    }

    /**
     * The records so far.
     *
     * @return copies, in order.
     */
    public List<byte[]> records() {
        return records;
    }

    /**
     * Where they were.
     *
     * @return their positions, in order.
     */
    public List<Long> positions() {
        return positions;
    }

    /**
     * Where the record behind each is.
     *
     * @return their next positions, in order.
     */
    public List<Long> nextPositions() {
        return nextPositions;
    }

    /**
     * Reads to the end of a bounded log, or to where nothing more is there now.
     *
     * @param reader to poll.
     * @return what it handed over.
     */
    public static LogRecords readAll(final LogReader reader) {
        final LogRecords all = new LogRecords();
        int count;
        do {
            final int before = all.records.size();
            count = reader.poll(all, 100);
            assertEquals(Math.max(count, 0), all.records.size() - before, "poll must return what it handed over");
        } while (count > 0);
        return all;
    }

    /**
     * Fails unless both are equal, byte for byte.
     *
     * @param expected records in order.
     * @param actual records in order.
     */
    public static void assertSame(final List<byte[]> expected, final List<byte[]> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertArrayEquals(expected.get(i), actual.get(i), "record " + i);
        }
        assertEquals(expected.size(), actual.size(), "number of records");
    }

    /**
     * Records of text.
     *
     * @param texts of the records.
     * @return their bytes.
     */
    public static List<byte[]> of(final String... texts) {
        final List<byte[]> records = new ArrayList<>();
        for (final String text : texts) {
            records.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return records;
    }

    /**
     * Records as text, sorted by nothing.
     *
     * @param records to decode.
     * @return their texts in order.
     */
    public static List<String> texts(final List<byte[]> records) {
        assertTrue(records.size() < 1_000_000, "too many records to compare as text");
        return records.stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }
}
