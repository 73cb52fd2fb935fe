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

    /** FC-115. */
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

    /** FC-116, FLINK-10377. */
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

    /** FC-117. */
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

    /** FC-120. */
    @Test
    void shouldRefuseARecordAfterTheEnd() throws Exception {
        harness.open();
        harness.watermark(Long.MAX_VALUE);

        final IllegalStateException e = assertThrows(IllegalStateException.class, () -> write("late"));

        assertEquals("a record came to sink op after the end of all data", e.getMessage());
    }

    /** FC-120, FLINK-37605. */
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

    /** FC-118. */
    @Test
    void shouldNotOpenWhenWhatWasRestoredCantBeCommitted() throws Exception {
        harness.open();
        final OperatorHarness.Snapshot snapshot = writeAndSnapshot("42");
        harness.fail();
        log.failCommitAfter(0);

        assertThrows(LogException.class, () -> harness.open(snapshot));
        assertEquals(List.of(), log.visible());
        harness.fail();
        harness.open(snapshot);

        assertEquals(List.of("42"), log.visible());
    }

    /** FC-120. */
    @Test
    void shouldPrepareTheLastTransactionOnceAndNoneAfterIt() throws Exception {
        harness.open();
        final long first = writeAndSnapshot("42").checkpointId();
        write("43");
        harness.watermark(Long.MAX_VALUE);
        final OperatorHarness.Snapshot second = harness.snapshot();
        final OperatorHarness.Snapshot third = harness.snapshot();

        assertEquals(2, second.listState("prepared").size());
        assertEquals(2, third.listState("prepared").size());
        harness.complete(first);
        assertEquals(List.of("42"), log.visible());
        harness.complete(second.checkpointId());

        assertEquals(List.of("42", "43"), log.visible());
        assertEquals(0, log.pending());
    }

    /** FC-122: the next attempt of the job is the one that tries again; a later transaction is not tried, it would overtake. */
    @Test
    void shouldCommitOnceEachInTheAttemptAfterACommitThatFailed() throws Exception {
        harness.open();
        writeAndSnapshot("42");
        writeAndSnapshot("43");
        final OperatorHarness.Snapshot last = writeAndSnapshot("44");
        log.failCommitAfter(1);

        assertThrows(LogException.class, () -> harness.complete(last.checkpointId()));
        assertEquals(List.of("42"), log.visible());
        harness.fail();
        harness.open(last);

        assertEquals(List.of("42", "43", "44"), log.visible());
        assertEquals(0, log.pending());
    }

    /** FC-123. */
    @Test
    void shouldCommitSeveralStagesInOrder() throws Exception {
        harness.open();
        final long first = writeTwoAndSnapshot("1").checkpointId();
        writeTwoAndSnapshot("2");
        final long third = writeTwoAndSnapshot("3").checkpointId();

        harness.complete(first);
        harness.complete(third);

        assertEquals(List.of("1a", "1b", "2a", "2b", "3a", "3b"), log.visible());
    }

    /** FC-125: nobody hears of a savepoint's completion. */
    @Test
    void shouldLeaveWhatASavepointHoldsToTheNextCheckpoint() throws Exception {
        harness.open();
        final OperatorHarness.Snapshot savepoint = writeAndSnapshot("42");
        final long next = writeAndSnapshot("43").checkpointId();
        assertEquals(1, savepoint.listState("prepared").size());
        assertEquals(List.of(), log.visible());

        harness.complete(next);

        assertEquals(List.of("42", "43"), log.visible());
    }

    /** FC-126. */
    @Test
    void shouldNotTakeTheCheckpointsOfANewRunForThoseOfAnEarlierOne() throws Exception {
        try (OperatorHarness<String> earlier = harness()) {
            earlier.open();
            for (int id = 1; id < 9; id++) {
                earlier.snapshot();
            }
            earlier.receive("before", NONE, NONE);
            earlier.complete(earlier.snapshot().checkpointId());
        }
        harness.open();
        final OperatorHarness.Snapshot first = writeAndSnapshot("42");
        harness.complete(first.checkpointId());
        harness.fail();
        harness.open(first);
        harness.complete(writeAndSnapshot("43").checkpointId());

        assertTrue(first.checkpointId() < 9);
        assertEquals(List.of("before", "42", "43"), log.visible());
    }

    /** Each of them has transactions of two checkpoints: which subtask gets which must not change their order. */
    @Test
    void shouldCommitInOrderWhatSeveralWritersHadPreparedAtAnotherParallelism() throws Exception {
        final OperatorHarness<String> other = harness().subtask(1, 2).open();
        harness.subtask(0, 2).open();
        writeAndSnapshot("1 of 0");
        other.receive("1 of 1", NONE, NONE);
        other.snapshot();
        final OperatorHarness.Snapshot zero = writeAndSnapshot("2 of 0");
        other.receive("2 of 1", NONE, NONE);
        final OperatorHarness.Snapshot one = other.snapshot();
        harness.fail();
        other.close();

        for (int subtask = 2; subtask >= 0; subtask--) {
            harness.subtask(subtask, 3).openAll(List.of(zero, one));
            assertEquals(List.of("1 of 0", "1 of 1", "2 of 0", "2 of 1"), log.visible());
            harness.fail();
        }
        harness.open();
    }

    /** What they had prepared after the restored checkpoint is of no use to anybody. */
    @Test
    void shouldDropWhatWritersOfAnotherParallelismLeftOnceACheckpointHasCompleted() throws Exception {
        final OperatorHarness<String> vanished = harness().subtask(1, 2).open();
        harness.subtask(0, 2).open();
        final OperatorHarness.Snapshot zero = writeAndSnapshot("42");
        final OperatorHarness.Snapshot one = vanished.snapshot();
        vanished.receive("43", NONE, NONE);
        vanished.snapshot();
        vanished.close();
        harness.fail();
        harness.subtask(0, 1).openAll(List.of(zero, one));
        assertEquals(1, log.pending());

        harness.complete(one.checkpointId() - 1);
        assertEquals(1, log.pending(), "only this attempt's checkpoints tell that all writers have recovered");
        harness.complete(harness.snapshot().checkpointId());

        assertEquals(0, log.pending());
        assertEquals(List.of("42"), log.visible());
    }

    @Test
    void shouldRefuseACheckpointAfterWhichAnotherParallelismCommitted() throws Exception {
        harness.subtask(0, 1).open();
        final OperatorHarness.Snapshot old = writeAndSnapshot("42");
        harness.complete(old.checkpointId());
        harness.fail();
        harness.subtask(1, 2).openAll(List.of(old));
        final OperatorHarness.Snapshot last = writeAndSnapshot("43");
        harness.complete(last.checkpointId());
        harness.fail();

        for (int parallelism = 1; parallelism < 4; parallelism++) {
            harness.subtask(0, parallelism);
            assertThrows(LogException.class, () -> harness.openAll(List.of(old)));
            harness.fail();
        }
        harness.subtask(0, 1).openAll(List.of(last));

        assertEquals(List.of("42", "43"), log.visible());
    }

    private OperatorHarness.Snapshot writeTwoAndSnapshot(final String stage) throws Exception {
        write(stage + "a");
        write(stage + "b");
        return harness.snapshot();
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
