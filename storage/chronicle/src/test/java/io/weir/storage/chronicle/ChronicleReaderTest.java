package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.LogRecords;
import io.weir.storage.log.ReplayableLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading while a plain Chronicle appender writes and rolls. */
class ChronicleReaderTest {
    private static final long CYCLE_MS = 300_000;

    @TempDir
    private Path folder;

    private Path path;
    private ChronicleQueueLog log;
    private SingleChronicleQueue queue;
    private ExcerptAppender appender;
    private long nowMs = 1_700_000_000_000L;

    @BeforeEach
    void openQueue() {
        path = folder.resolve("queue");
        log = ChronicleQueueLog.at(path)
                .rollCycle("FIVE_MINUTELY")
                .blockLength(1 << 20)
                .observedBy(() -> nowMs, CommitProbe.NONE);
        reopenQueue();
    }

    @AfterEach
    void closeQueue() {
        appender.close();
        queue.close();
    }

    @Test
    void shouldTailAcrossRolls() {
        write("a", "b");
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            assertEquals(List.of("a", "b"), read(reader));
            assertEquals(0, reader.poll(new LogRecords(), 1));
            nowMs += CYCLE_MS;
            write("c");
            assertEquals(List.of("c"), read(reader));
            nowMs += 5 * CYCLE_MS;
            write("d", "e");
            assertEquals(List.of("d", "e"), read(reader));
            assertEquals(0, reader.poll(new LogRecords(), 1));
        }
    }

    @Test
    void shouldEndBoundedReadAtWhatWasThereWhenOpened() {
        write("a");
        nowMs += CYCLE_MS;
        write("b");
        try (LogReader reader = log.bounded().open(0, ReplayableLog.START)) {
            write("late");
            nowMs += CYCLE_MS;
            write("later");
            assertEquals(List.of("a", "b"), read(reader));
            assertEquals(LogReader.END_OF_LOG, reader.poll(new LogRecords(), 1));
            try (LogReader behind = log.unbounded().open(0, reader.position())) {
                assertEquals(List.of("late", "later"), read(behind));
            }
        }
    }

    @Test
    void shouldGoOnBehindTheLastRecordOfACycleOnceANewerOneIsThere() {
        write("a");
        final long end;
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            assertEquals(List.of("a"), read(reader));
            end = reader.position();
        }
        try (LogReader waiting = log.open(0, end)) {
            assertEquals(List.of(), read(waiting));
            nowMs += CYCLE_MS;
            write("b");
            assertEquals(List.of("b"), read(waiting));
        }
        try (LogReader reader = log.open(0, end)) {
            assertEquals(List.of("b"), read(reader));
        }
    }

    @Test
    void shouldPassACycleThatItsWriterNeverFinished() {
        write("a");
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            assertEquals(List.of("a"), read(reader));
            closeQueue();
            nowMs += 100 * CYCLE_MS;
            reopenQueue();
            write("b");
            assertEquals(List.of("b"), read(reader));
        }
    }

    @Test
    void shouldNotSeeWhatIsStillBeingWritten() {
        write("a");
        try (LogReader reader = log.open(0, ReplayableLog.START);
                DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().write("open".getBytes(UTF_8));
            assertEquals(List.of("a"), read(reader));
            assertEquals(0, reader.poll(new LogRecords(), 1));
            try (LogReader bounded = log.bounded().open(0, ReplayableLog.START)) {
                assertEquals(List.of("a"), read(bounded));
                assertEquals(LogReader.END_OF_LOG, bounded.poll(new LogRecords(), 1));
            }
            document.rollbackOnClose();
        }
    }

    /** Chronicle-Queue-251. */
    @Test
    void shouldFailWhenTheCycleOfThePositionWasDeleted() throws IOException {
        write("a", "b");
        final LogRecords all;
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            all = LogRecords.readAll(reader);
        }
        final Path first = queue.file().toPath().resolve(appender.currentFile().getName());
        nowMs += CYCLE_MS;
        write("c");
        closeQueue();
        Files.delete(first);
        reopenQueue();
        final LogException ex = assertThrows(
                LogException.class, () -> log.open(0, all.positions().get(1)));
        assertTrue(ex.getMessage().contains(path.toString()), ex.getMessage());
        assertTrue(ex.getMessage().contains("not in the queue"), ex.getMessage());
    }

    @Test
    void shouldSayWhereARecordIs() {
        write("a", "b");
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            final String place =
                    reader.describe(LogRecords.readAll(reader).positions().get(1));
            assertTrue(place.contains(path.toString()), place);
            assertTrue(place.contains("record 1 of cycle"), place);
        }
    }

    @Test
    void shouldNameAFolderWithoutQueueAndBadOptions() {
        assertThrows(
                LogException.class,
                () -> ChronicleQueueLog.at(folder.resolve("none")).partitions());
        assertThrows(LogException.class, () -> ChronicleQueueLog.at(folder).open(0, ReplayableLog.START));
        assertTrue(assertThrows(LogException.class, () -> log.rollCycle("YEARLY"))
                .getMessage()
                .contains("rollCycle=YEARLY"));
        assertTrue(assertThrows(LogException.class, () -> log.blockLength(1))
                .getMessage()
                .contains("blockLength=1"));
        assertTrue(assertThrows(LogException.class, () -> log.maxTransactionLength(0))
                .getMessage()
                .contains("maxTransactionLength=0"));
        assertTrue(assertThrows(LogException.class, () -> log.minFreeLength(-1))
                .getMessage()
                .contains("minFreeLength=-1"));
    }

    private void reopenQueue() {
        queue = QueueOptions.build(
                path,
                new QueueOptions(
                        QueueOptions.rollCycleNamed("FIVE_MINUTELY"), 1 << 20, 1, 0, () -> nowMs, CommitProbe.NONE),
                new CycleClock(() -> nowMs));
        appender = queue.createAppender();
    }

    private void write(final String... texts) {
        for (final String text : texts) {
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().bytes().write(text.getBytes(UTF_8));
            }
        }
    }

    private static List<String> read(final LogReader reader) {
        return LogRecords.texts(LogRecords.readAll(reader).records());
    }
}
