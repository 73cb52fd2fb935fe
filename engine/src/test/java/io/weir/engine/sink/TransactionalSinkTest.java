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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TransactionalSinkTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final long SEED = System.nanoTime();

    private final WatchedLog log = new WatchedLog();
    private final OperatorHarness<String> harness = harness();

    @Test
    void shouldCommitUpToTheCompletedCheckpoint() throws Exception {
        try (harness) {
            harness.open();
            write("42");
            final long first = harness.snapshot().checkpointId();
            write("43");
            final long second = harness.snapshot().checkpointId();
            write("44");
            harness.snapshot();
            assertEquals(List.of(), log.visible());

            harness.complete(second);

            assertTrue(first < second);
            assertEquals(List.of("42", "43"), log.visible());
            assertEquals(1, log.pending());
        }
    }

    @Test
    void shouldChangeNothingWhenAnOvertakenNoticeComesLate() throws Exception {
        try (harness) {
            harness.open();
            write("42");
            final long first = harness.snapshot().checkpointId();
            write("43");
            final long second = harness.snapshot().checkpointId();

            harness.complete(second);
            harness.complete(first);
            harness.complete(second);

            assertEquals(List.of("42", "43"), log.visible());
            assertEquals(2, log.commits());
        }
    }

    @Test
    void shouldCommitWhatTheRestoredCheckpointHoldsAndAbortTheRest() throws Exception {
        harness.open();
        write("42");
        harness.snapshot();
        write("43");
        final OperatorHarness.Snapshot kept = harness.snapshot();
        write("44");
        harness.snapshot();
        write("45");
        harness.fail();

        try (harness) {
            harness.open(kept);

            assertEquals(List.of("42", "43"), log.visible());
            assertEquals(0, log.pending());
        }
    }

    @Test
    void shouldKeepATransactionInTheSnapshotUntilItsCommitIsDone() throws Exception {
        try (harness) {
            harness.open();
            write("42");
            final long first = harness.snapshot().checkpointId();
            harness.completeWithoutIo(first);

            final OperatorHarness.Snapshot during = harness.snapshot();
            harness.runActions();
            final OperatorHarness.Snapshot after = harness.snapshot();

            assertEquals(1, during.listState("prepared").size());
            assertEquals(0, after.listState("prepared").size());
        }
    }

    @Test
    void shouldRecoverWhenTheProcessDiesBeforeTheCommitIsDone() throws Exception {
        harness.open();
        write("42");
        final OperatorHarness.Snapshot snapshot = harness.snapshot();
        harness.completeWithoutIo(snapshot.checkpointId());
        harness.fail();

        try (harness) {
            harness.open(snapshot);

            assertEquals(List.of("42"), log.visible());
        }
    }

    @Test
    void shouldLeaveATransactionOfAnAbortedCheckpointToTheNext() throws Exception {
        try (harness) {
            harness.open();
            write("42");
            final long first = harness.snapshot().checkpointId();
            harness.abort(first);
            write("43");
            final OperatorHarness.Snapshot second = harness.snapshot();

            assertEquals(2, second.listState("prepared").size());
            harness.complete(second.checkpointId());

            assertEquals(List.of("42", "43"), log.visible());
        }
    }

    @Test
    void shouldForceATransactionWithTheNextCheckpointWhenItsOwnWasDeclined() throws Exception {
        try (harness) {
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
    }

    @Test
    void shouldPrepareNothingForAnEmptyTransaction() throws Exception {
        try (harness) {
            harness.open();

            final OperatorHarness.Snapshot snapshot = harness.snapshot();
            harness.complete(snapshot.checkpointId());

            assertEquals(List.of(), snapshot.listState("prepared"));
            assertEquals(0, log.pending());
        }
    }

    @Test
    void shouldWaitAtTheEndUntilACheckpointTakenAfterItIsCommitted() throws Exception {
        try (harness) {
            harness.open();
            write("42");
            final long before = harness.snapshot().checkpointId();
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
    }

    @Test
    void shouldRefuseARecordAfterTheEnd() throws Exception {
        try (harness) {
            harness.open();
            harness.watermark(Long.MAX_VALUE);

            final IllegalStateException e = assertThrows(IllegalStateException.class, () -> write("late"));

            assertEquals("a record came to sink op after the end of all data", e.getMessage());
        }
    }

    @Test
    void shouldAbortNothingWhenASnapshotTakenAfterTheEndIsRestored() throws Exception {
        harness.open();
        write("42");
        harness.watermark(Long.MAX_VALUE);
        final OperatorHarness.Snapshot last = harness.snapshot();
        harness.complete(last.checkpointId());
        harness.fail();

        try (harness) {
            harness.open(last);

            assertEquals(List.of("42"), log.visible());
            assertTrue(harness.operator().awaitsFinalCheckpoint());
            harness.complete(harness.snapshot().checkpointId());
            assertFalse(harness.operator().awaitsFinalCheckpoint());
            assertEquals(List.of("42"), log.visible());
        }
    }

    @Test
    void shouldCommitForAnotherWriterAfterAChangeOfParallelism() throws Exception {
        harness.subtask(1, 2).open();
        write("42");
        final OperatorHarness.Snapshot snapshot = harness.snapshot();
        harness.fail();
        // The subtask that had written is there again, but its transaction went to another.
        final OperatorHarness<String> same = harness().subtask(1, 4).open();
        same.close();
        try (OperatorHarness<String> other = harness()) {
            other.subtask(0, 4).open(snapshot);

            assertEquals(List.of("42"), log.visible());
            assertEquals(Set.of("job/op/1-of-2", "job/op/1-of-4", "job/op/0-of-4"), log.writerIds());
        }
    }

    @Test
    void shouldShowEveryRecordOnceAndInOrderWhereverItFails() throws Exception {
        final Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            final WatchedLog target = new WatchedLog();
            final OperatorHarness<String> sink =
                    new OperatorHarness<>(() -> new TransactionalSink<>(target, Codecs.strings()));
            final List<Integer> positions = new ArrayList<>(List.of(0));
            final List<OperatorHarness.Snapshot> completed = new ArrayList<>();
            completed.add(null);
            sink.open();
            int next = 0;
            while (next < 60) {
                switch (random.nextInt(8)) {
                    case 0 -> {
                        final OperatorHarness.Snapshot snapshot = sink.snapshot();
                        if (random.nextInt(3) == 0) {
                            sink.abort(snapshot.checkpointId());
                        } else {
                            completed.add(snapshot);
                            positions.add(next);
                            if (random.nextBoolean()) {
                                sink.completeWithoutIo(snapshot.checkpointId());
                            }
                        }
                    }
                    case 1 -> sink.runActions();
                    case 2 -> {
                        sink.fail();
                        sink.open(completed.get(completed.size() - 1));
                        next = positions.get(positions.size() - 1);
                    }
                    default -> sink.receive(Integer.toString(next++), NONE, NONE);
                }
            }
            sink.watermark(Long.MAX_VALUE);
            sink.complete(sink.snapshot().checkpointId());
            sink.close();

            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < next; i++) {
                expected.add(Integer.toString(i));
            }
            assertEquals(expected, target.visible(), () -> "seed=" + SEED);
            assertEquals(0, target.pending(), () -> "seed=" + SEED);
        }
    }

    private OperatorHarness<String> harness() {
        return new OperatorHarness<>(() -> new TransactionalSink<>(log, Codecs.strings()));
    }

    private void write(final String text) throws Exception {
        harness.receive(text, NONE, NONE);
    }
}
