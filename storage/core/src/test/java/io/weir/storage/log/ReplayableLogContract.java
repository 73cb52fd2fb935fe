package io.weir.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every {@link ReplayableLog} must do. Records of the suite are plain words, so that text formats can pass it too. */
public abstract class ReplayableLogContract {
    /**
     * A bounded log of one partition.
     *
     * @param records it holds.
     * @return the log.
     */
    protected abstract ReplayableLog bounded(List<byte[]> records);

    /**
     * Whether reading allocates nothing per record.
     *
     * @return false if the library below can't do better.
     */
    protected boolean readsWithoutAllocation() {
        return true;
    }

    @Test
    final void shouldHandOverEveryRecordInOrderThenEnd() {
        final List<byte[]> expected = words(1_000, 100, 1);
        try (LogReader reader = bounded(expected).open(0, ReplayableLog.START)) {
            LogRecords.assertSame(expected, LogRecords.readAll(reader).records());
            assertEquals(LogReader.END_OF_LOG, reader.poll(new LogRecords(), 1));
            assertEquals(LogReader.END_OF_LOG, reader.poll(new LogRecords(), 1));
        }
    }

    @Test
    final void shouldGoOnBehindAnyRecordAndAtAnyRecord() {
        final List<byte[]> expected = words(60, 40, 2);
        final ReplayableLog log = bounded(expected);
        final LogRecords all;
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            all = LogRecords.readAll(reader);
        }
        for (int i = 0; i < expected.size(); i++) {
            try (LogReader behind = log.open(0, all.nextPositions().get(i));
                    LogReader at = log.open(0, all.positions().get(i))) {
                LogRecords.assertSame(
                        expected.subList(i + 1, expected.size()),
                        LogRecords.readAll(behind).records());
                LogRecords.assertSame(
                        expected.subList(i, expected.size()),
                        LogRecords.readAll(at).records());
            }
        }
    }

    @Test
    final void shouldReportPlaceOfNextRecordAsPosition() {
        final List<byte[]> expected = words(50, 10, 3);
        final ReplayableLog log = bounded(expected);
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            for (int i = 0; i < expected.size(); i++) {
                try (LogReader other = log.open(0, reader.position())) {
                    final LogRecords rest = LogRecords.readAll(other);
                    LogRecords.assertSame(expected.subList(i, expected.size()), rest.records());
                }
                assertEquals(1, reader.poll(new LogRecords(), 1));
            }
        }
    }

    @Test
    final void shouldKeepPositionsInRecordOrder() {
        final LogRecords all;
        try (LogReader reader = bounded(words(100, 10, 4)).open(0, ReplayableLog.START)) {
            all = LogRecords.readAll(reader);
        }
        for (int i = 0; i < 100; i++) {
            assertTrue(all.positions().get(i) < all.nextPositions().get(i), "record " + i);
            assertTrue(i == 99 || all.nextPositions().get(i) <= all.positions().get(i + 1), "record " + i);
        }
    }

    @Test
    final void shouldHandOverNoMoreThanTheLimit() {
        try (LogReader reader = bounded(words(10, 10, 5)).open(0, ReplayableLog.START)) {
            final LogRecords taken = new LogRecords();
            assertEquals(3, reader.poll(taken, 3));
            assertEquals(7, reader.poll(taken, 8));
            assertEquals(10, taken.records().size());
        }
    }

    @Test
    final void shouldStopBehindTheRecordWhoseHandlerAsksTo() {
        final List<byte[]> expected = words(10, 10, 6);
        try (LogReader reader = bounded(expected).open(0, ReplayableLog.START)) {
            assertEquals(1, reader.poll((position, next, buffer, offset, length) -> false, 5));
            LogRecords.assertSame(
                    expected.subList(1, 10), LogRecords.readAll(reader).records());
        }
    }

    @Test
    final void shouldEndEmptyLogAtOnce() {
        final ReplayableLog log = bounded(List.of());
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            assertEquals(LogReader.END_OF_LOG, reader.poll(new LogRecords(), 1));
            log.open(0, reader.position()).close();
        }
    }

    @Test
    final void shouldReadWithSeveralReadersIndependently() {
        final List<byte[]> expected = words(20, 10, 7);
        final ReplayableLog log = bounded(expected);
        try (LogReader first = log.open(0, ReplayableLog.START);
                LogReader second = log.open(0, ReplayableLog.START)) {
            assertEquals(5, first.poll(new LogRecords(), 5));
            LogRecords.assertSame(expected, LogRecords.readAll(second).records());
            LogRecords.assertSame(
                    expected.subList(5, 20), LogRecords.readAll(first).records());
        }
    }

    @Test
    final void shouldReadRecordsOfOneByteAndOfOneMebibyte() {
        final List<byte[]> expected = new ArrayList<>();
        for (final int length : new int[] {1, 1 << 20, 2, 3, 1 << 16, (1 << 20) - 1, 1}) {
            expected.addAll(words(1, length, length));
        }
        try (LogReader reader = bounded(expected).open(0, ReplayableLog.START)) {
            LogRecords.assertSame(expected, LogRecords.readAll(reader).records());
        }
    }

    @Test
    final void shouldRefusePositionsItDoesNotReach() {
        final ReplayableLog log = bounded(words(10, 10, 8));
        final long end;
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            LogRecords.readAll(reader);
            end = reader.position();
        }
        final LogException beyond = assertThrows(LogException.class, () -> log.open(0, end + 1000));
        assertTrue(beyond.getMessage().contains(log.name()), beyond.getMessage());
        assertThrows(LogException.class, () -> log.open(0, -1));
    }

    @Test
    final void shouldRefuseUnknownPartitions() {
        final ReplayableLog log = bounded(words(1, 10, 9));
        assertEquals(1, log.partitions().size());
        assertThrows(LogException.class, () -> log.open(1, ReplayableLog.START));
        assertThrows(LogException.class, () -> log.open(-1, ReplayableLog.START));
    }

    @Test
    final void shouldDescribePlacesApart() {
        try (LogReader reader = bounded(words(3, 10, 10)).open(0, ReplayableLog.START)) {
            final List<Long> positions = LogRecords.readAll(reader).positions();
            assertFalse(reader.describe(positions.get(0)).equals(reader.describe(positions.get(1))));
        }
    }

    @Test
    final void shouldCloseTwiceAndRefuseToPollAfter() {
        final LogReader reader = bounded(words(3, 10, 11)).open(0, ReplayableLog.START);
        reader.close();
        reader.close();
        assertThrows(LogException.class, () -> reader.poll(new LogRecords(), 1));
    }

    @Test
    final void shouldAllocateNothingPerRecord() {
        final int warmUp = 50_000;
        final int measured = 100_000;
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        final long[] bytes = new long[1];
        final LogHandler handler = (position, next, buffer, offset, length) -> {
            bytes[0] += length;
            return true;
        };
        try (LogReader reader = bounded(words(warmUp + measured, 20, 12)).open(0, ReplayableLog.START)) {
            int count = 0;
            while (count < warmUp) {
                count += reader.poll(handler, 64);
            }
            final long before = threads.getThreadAllocatedBytes(threadId);
            while (count < warmUp + measured) {
                count += reader.poll(handler, 64);
            }
            final long allocated = threads.getThreadAllocatedBytes(threadId) - before;
            assertTrue(bytes[0] > 0);
            assertTrue(
                    !readsWithoutAllocation() || allocated < measured / 10,
                    allocated + " bytes allocated for " + measured + " records");
        }
    }

    /**
     * Words of random letters.
     *
     * @param count of words.
     * @param maxLength of a word; a single word has just this length.
     * @param seed of the letters.
     * @return their bytes.
     */
    protected static List<byte[]> words(final int count, final int maxLength, final long seed) {
        final Random random = new Random(seed);
        final List<byte[]> words = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            final int length = count == 1 ? maxLength : 1 + random.nextInt(maxLength);
            final StringBuilder word = new StringBuilder(length);
            for (int k = 0; k < length; k++) {
                word.append((char) ('a' + random.nextInt(26)));
            }
            words.add(word.toString().getBytes(StandardCharsets.UTF_8));
        }
        return words;
    }
}
