package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.log.LogRecords;
import io.weir.storage.log.TransactionalWriter;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits around the end of one file of a queue and the beginning of the next, with a wall clock that is set back. */
class CycleRollTest {
    private static final long CYCLE_MS = 300_000;
    private static final long FIRST_MS = 1_700_000_100_000L;

    @TempDir
    private Path folder;

    private Path path;
    private ChronicleQueueLog log;
    private long nowMs = FIRST_MS;

    @BeforeEach
    void setUp() {
        path = folder.resolve("queue");
        log = CrashingJob.logIn(folder).minFreeLength(0).observedBy(() -> nowMs, CommitProbe.NONE);
    }

    @Test
    void shouldGoOnInTheNextFileWhenTheNewestHasEnded() {
        commit(1, "a");
        endNewestFile();

        commit(2, "b");
        commit(3, "c");

        assertEquals(List.of("a", "b", "c"), visible());
    }

    @Test
    void shouldGoOnInTheNewestFileWhenTheClockIsSetBackBetweenWriters() {
        nowMs += CYCLE_MS;
        commit(1, "a");
        nowMs -= CYCLE_MS;

        commit(2, "b");

        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldGoOnInTheNewestFileWhenTheClockIsSetBackUnderAWriter() {
        try (TransactionalWriter writer = log.open("w", 1)) {
            append(writer, 1, "a");
            nowMs += CYCLE_MS;
            append(writer, 2, "b");
            nowMs -= CYCLE_MS;
            append(writer, 3, "c");
        }

        assertEquals(List.of("a", "b", "c"), visible());
    }

    private void commit(final long attempt, final String text) {
        try (TransactionalWriter writer = log.open("w", attempt)) {
            append(writer, attempt, text);
        }
    }

    private static void append(final TransactionalWriter writer, final long checkpointId, final String text) {
        final byte[] bytes = text.getBytes(UTF_8);
        writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
        writer.commit(writer.prepare(checkpointId));
    }

    /** Leaves the queue as a process does that dies between the end of a file and the next one. */
    private void endNewestFile() {
        nowMs += CYCLE_MS;
        final File next;
        try (SingleChronicleQueue queue = QueueOptions.build(path, QueueOptions.DEFAULTS, new CycleClock(() -> nowMs));
                ExcerptAppender appender = queue.createAppender()) {
            appender.writeText("in the next file");
            next = appender.currentFile();
        }
        nowMs -= CYCLE_MS;
        assertTrue(next.delete());
        assertEquals(List.of("a"), visible());
    }

    private List<String> visible() {
        return LogRecords.texts(ChronicleQueueLogTest.visible(path));
    }
}
