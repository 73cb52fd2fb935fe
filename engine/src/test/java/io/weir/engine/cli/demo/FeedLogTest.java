package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.job.Tick;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedLogTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path queue;

    @Test
    void shouldHandOverWhatIsDueAndEndBehindTheLastRecord() {
        final List<Long> arrivals = new ArrayList<>();
        try (FeedWriter writer = new FeedWriter(feed(3), queue)) {
            writer.append(0, 0);
            assertFalse(writer.tryEnd());
            try (LogReader reader = log().open(0, ReplayableLog.START)) {
                assertEquals(1, poll(reader, arrivals));
                assertEquals(0, poll(reader, arrivals));

                writer.append(SECOND_NS, 0);
                assertEquals(1, poll(reader, arrivals));

                writer.append(10 * SECOND_NS, 0);
                assertEquals(1, poll(reader, arrivals));
                assertEquals(0, poll(reader, arrivals));

                assertTrue(writer.tryEnd());
                assertEquals(LogReader.END_OF_LOG, poll(reader, arrivals));
                assertEquals(LogReader.END_OF_LOG, poll(reader, arrivals));
            }
        }
        assertEquals(List.of(0L, 1L, 2L), arrivals);
    }

    @Test
    void shouldKeepTheLastRecordsBackHoweverLateItIs() {
        try (FeedWriter writer = new FeedWriter(feed(3), queue)) {
            writer.append(10 * SECOND_NS, 2);
            assertEquals(1, writer.appended());
            writer.append(10 * SECOND_NS, 1);
            assertEquals(2, writer.appended());
            assertFalse(writer.tryEnd());
            writer.append(10 * SECOND_NS, 0);
            assertEquals(3, writer.appended());
            assertTrue(writer.tryEnd());
        }
    }

    @Test
    void shouldGoOnFromAnyPositionAndEndAgain() {
        final List<Long> positions = new ArrayList<>();
        try (FeedWriter writer = new FeedWriter(feed(4), queue)) {
            writer.append(10 * SECOND_NS, 0);
            writer.tryEnd();
        }
        try (LogReader reader = log().open(0, ReplayableLog.START)) {
            positions.add(reader.position());
            int count;
            do {
                count = reader.poll((position, next, buffer, offset, length) -> positions.add(next), 1);
            } while (count > 0);
            positions.add(reader.position());
        }

        for (int i = 0; i < positions.size(); i++) {
            final List<Long> rest = new ArrayList<>();
            try (LogReader reader = log().open(0, positions.get(i))) {
                int count;
                do {
                    count = poll(reader, rest);
                } while (count != LogReader.END_OF_LOG);
            }
            assertEquals(Math.max(0, 4 - i), rest.size(), "from position " + i);
        }
    }

    private FeedLog log() {
        return new FeedLog(ChronicleQueueLog.at(queue));
    }

    private static int poll(final LogReader reader, final List<Long> arrivals) {
        return reader.poll(
                (position, next, buffer, offset, length) ->
                        arrivals.add(Tick.codec().decode(buffer, offset, length).arrival()),
                100);
    }

    private static Feed feed(final int size) {
        final List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            ticks.add(new Tick("s", i, 0, "k", i, "", BigDecimal.ONE, BigDecimal.ONE));
        }
        return new Feed(ticks, 1);
    }
}
