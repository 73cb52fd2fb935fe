package io.weir.engine.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.harness.OperatorHarness;
import io.weir.engine.harness.WatchedLog;
import io.weir.engine.operator.IoAction;
import io.weir.storage.log.LogException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TransactionalSinkTest {
    private static final long NONE = Long.MIN_VALUE;

    private final WatchedLog log = new WatchedLog();
    private final OperatorHarness<String> harness = harness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldCommitUpToTheCompletedCheckpoint() throws Exception {
        harness.open();
        final long first = writeAndSnapshot("42").checkpointId();
        final long second = writeAndSnapshot("43").checkpointId();
        writeAndSnapshot("44");
        assertEquals(List.of(), log.visible());

        harness.complete(second);

        assertTrue(first < second);
        assertEquals(List.of("42", "43"), log.visible());
        assertEquals(1, log.pending());
    }

    @Test
    void shouldChangeNothingWhenAnOvertakenNoticeComesLate() throws Exception {
        harness.open();
        final long first = writeAndSnapshot("42").checkpointId();
        final long second = writeAndSnapshot("43").checkpointId();

        harness.complete(second);
        harness.complete(first);
        harness.complete(second);

        assertEquals(List.of("42", "43"), log.visible());
        assertEquals(2, log.commits());
    }

    @Test
    void shouldCommitWhatTheRestoredCheckpointHoldsAndAbortTheRest() throws Exception {
        harness.open();
        writeAndSnapshot("42");
        final OperatorHarness.Snapshot kept = writeAndSnapshot("43");
        writeAndSnapshot("44");
        write("45");
        harness.fail();

        harness.open(kept);

        assertEquals(List.of("42", "43"), log.visible());
        assertEquals(0, log.pending());
    }

    @Test
    void shouldKeepATransactionInTheSnapshotUntilItsCommitIsDone() throws Exception {
        harness.open();
        final long first = writeAndSnapshot("42").checkpointId();
        harness.completeWithoutIo(first);

        final OperatorHarness.Snapshot during = harness.snapshot();
        harness.runActions();
        final OperatorHarness.Snapshot after = harness.snapshot();

        assertEquals(1, during.listState("prepared").size());
        assertEquals(0, after.listState("prepared").size());
    }

    @Test
    void shouldRecoverWhenTheProcessDiesBeforeTheCommitIsDone() throws Exception {
        harness.open();
        final OperatorHarness.Snapshot snapshot = writeAndSnapshot("42");
        harness.completeWithoutIo(snapshot.checkpointId());
        harness.fail();

        harness.open(snapshot);

        assertEquals(List.of("42"), log.visible());
    }

    @Test
    void shouldRefuseACheckpointThatIsOlderThanWhatTheLogShows() throws Exception {
        harness.open();
        final OperatorHarness.Snapshot first = writeAndSnapshot("42");
        harness.complete(first.checkpointId());
        final OperatorHarness.Snapshot empty = harness.snapshot();
        harness.complete(empty.checkpointId());
        final OperatorHarness.Snapshot last = writeAndSnapshot("43");
        harness.complete(last.checkpointId());
        harness.fail();

        assertThrows(LogException.class, () -> harness.open(first));
        harness.fail();
        assertThrows(LogException.class, () -> harness.open(empty));
        harness.fail();
        harness.open(last);

        assertEquals(List.of("42", "43"), log.visible());
    }

    @Test
    void shouldRefuseACheckpointThatIsOlderThanWhatALaterProcessCommitted() throws Exception {
        harness.open();
        final OperatorHarness.Snapshot empty = harness.snapshot();
        harness.complete(empty.checkpointId());
        final OperatorHarness.Snapshot first = writeAndSnapshot("42");
        harness.complete(first.checkpointId());
        harness.fail();
        harness.open(first);
        final OperatorHarness.Snapshot last = writeAndSnapshot("43");
        harness.complete(last.checkpointId());
        harness.fail();

        assertThrows(LogException.class, () -> harness.open(first));
        harness.fail();
        assertThrows(LogException.class, () -> harness.open(empty));
        harness.fail();
        harness.open(last);

        assertEquals(List.of("42", "43"), log.visible());
    }

    @Test
    void shouldGoOnFromACheckpointOfALifeThatBeganWithTheOutputOfAnEarlierOne() throws Exception {
        harness.open();
        harness.complete(writeAndSnapshot("42").checkpointId());
        harness.fail();
        harness.open();
        final OperatorHarness.Snapshot empty = harness.snapshot();
        harness.complete(empty.checkpointId());
        harness.fail();

        harness.open(empty);

        harness.complete(writeAndSnapshot("43").checkpointId());
        assertEquals(List.of("42", "43"), log.visible());
        harness.fail();
        assertThrows(LogException.class, () -> harness.open(empty));
    }

    @Test
    void shouldLeaveATransactionOfAnAbortedCheckpointToTheNext() throws Exception {
        harness.open();
        final long first = writeAndSnapshot("42").checkpointId();
        harness.abort(first);
        final OperatorHarness.Snapshot second = writeAndSnapshot("43");

        assertEquals(2, second.listState("prepared").size());
        harness.complete(second.checkpointId());

        assertEquals(List.of("42", "43"), log.visible());
    }

    @Test
    void shouldForceATransactionWithTheNextCheckpointWhenItsOwnWasDeclined() throws Exception {
        harness.open();
        write("42");
        final OperatorHarness.Snapshot declined = harness.cut();
        log.failForce(true);
        for (final IoAction action : declined.beforeAcknowledge()) {
            assertThrows(LogException.class, action::run);
        }
        log.failForce(false);
        harness.abort(declined.checkpointId());

        harness.complete(harness.snapshot().checkpointId());

        assertEquals(List.of("42"), log.visible());
    }

    /** FLINK-23473, FLINK-24065. */
    @Test
    void shouldPrepareNothingForAnEmptyTransaction() throws Exception {
        harness.open();

        final OperatorHarness.Snapshot snapshot = harness.snapshot();
        harness.complete(snapshot.checkpointId());

        assertEquals(List.of(), snapshot.listState("prepared"));
        assertEquals(0, log.pending());
    }

    /** FLINK-26403. */
    @Test
    void shouldWaitAtTheEndUntilACheckpointTakenAfterItIsCommitted() throws Exception {
        harness.open();
        final long before = writeAndSnapshot("42").checkpointId();
        write("43");
        assertFalse(harness.operator().awaitsFinalCheckpoint());
        harness.watermark(Long.MAX_VALUE);
        assertTrue(harness.operator().awaitsFinalCheckpoint());

        harness.complete(before);
        assertTrue(harness.operator().awaitsFinalCheckpoint());
        final OperatorHarness.Snapshot last = harness.snapshot();
        harness.completeWithoutIo(last.checkpointId());
        assertTrue(harness.operator().awaitsFinalCheckpoint());
        harness.runActions();

        assertFalse(harness.operator().awaitsFinalCheckpoint());
        assertEquals(List.of("42", "43"), log.visible());
        assertEquals(List.of(), harness.snapshot().listState("prepared"));
        assertEquals(0, log.pending());
    }

    @Test
    void shouldRefuseARecordAfterTheEnd() throws Exception {
        harness.open();
        harness.watermark(Long.MAX_VALUE);

        final IllegalStateException e = assertThrows(IllegalStateException.class, () -> write("late"));

        assertEquals("a record came to sink op after the end of all data", e.getMessage());
    }

    /** FLINK-37605. */
    @Test
    void shouldAbortNothingWhenASnapshotTakenAfterTheEndIsRestored() throws Exception {
        harness.open();
        write("42");
        harness.watermark(Long.MAX_VALUE);
        final OperatorHarness.Snapshot last = harness.snapshot();
        harness.complete(last.checkpointId());
        harness.fail();

        harness.open(last);

        assertEquals(List.of("42"), log.visible());
        assertTrue(harness.operator().awaitsFinalCheckpoint());
        harness.complete(harness.snapshot().checkpointId());
        assertFalse(harness.operator().awaitsFinalCheckpoint());
        assertEquals(List.of("42"), log.visible());
    }

    /** FLINK-37747. */
    @Test
    void shouldCommitForAnotherWriterAfterAChangeOfParallelism() throws Exception {
        harness.subtask(1, 2).open();
        final OperatorHarness.Snapshot snapshot = writeAndSnapshot("42");
        harness.fail();
        // The subtask that had written is there again, but its transaction went to another.
        harness().subtask(1, 4).open().close();
        harness.subtask(0, 4).open(snapshot);

        assertEquals(List.of("42"), log.visible());
        assertEquals(Set.of("job/op/1-of-2", "job/op/1-of-4", "job/op/0-of-4"), log.writerIds());
    }

    private OperatorHarness<String> harness() {
        return new OperatorHarness<>(() -> new TransactionalSink<>(log, Codecs.strings()));
    }

    private OperatorHarness.Snapshot writeAndSnapshot(final String text) throws Exception {
        write(text);
        return harness.snapshot();
    }

    private void write(final String text) throws Exception {
        harness.receive(text, NONE, NONE);
    }
}
