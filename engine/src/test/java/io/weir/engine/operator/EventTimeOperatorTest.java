package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.harness.Emission;
import io.weir.engine.harness.HarnessPartitions;
import io.weir.engine.harness.OperatorHarness;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EventTimeOperatorTest {
    private static final long NONE = Long.MIN_VALUE;

    private final HarnessPartitions partitions = new HarnessPartitions(3, 5);

    @Test
    void shouldEmitTheLeastOfItsPartitionsAtTheEndOfABatch() throws Exception {
        try (OperatorHarness<Long> harness = harness(10, 0)) {
            receive(harness, 0, 100);
            receive(harness, 1, 50);
            assertEquals(List.of(), harness.output().watermarks());

            harness.batchEnd(1);

            assertEquals(List.of(50L - 10 - 1), harness.output().watermarks());
            receive(harness, 0, 200);
            harness.batchEnd(2);
            assertEquals(39, harness.output().watermark());
            receive(harness, 1, 150);
            harness.batchEnd(3);
            assertEquals(List.of(39L, 139L), harness.output().watermarks());
        }
    }

    @Test
    void shouldEmitNothingBeforeEachPartitionHasSpoken() throws Exception {
        try (OperatorHarness<Long> harness = harness(10, 0)) {
            receive(harness, 0, 100);

            harness.batchEnd(1);

            assertEquals(List.of(), harness.output().watermarks());
        }
    }

    @Test
    void shouldPassThePartitionsOwnWatermarkWithARecordAtOrBehindIt() throws Exception {
        try (OperatorHarness<Long> harness = harness(10, 0)) {
            receive(harness, 0, 100);
            receive(harness, 0, 90);
            receive(harness, 0, 89);
            receive(harness, 1, 5);
            receive(harness, 0, 111);
            receive(harness, 0, 100);

            assertEquals(
                    List.of(
                            new Emission(100L, 100, NONE),
                            new Emission(90L, 90, NONE),
                            new Emission(89L, 89, 89),
                            new Emission(5L, 5, NONE),
                            new Emission(111L, 111, NONE),
                            new Emission(100L, 100, 100)),
                    harness.output().records());
        }
    }

    @Test
    void shouldLeaveOutAPartitionThatHasEnded() throws Exception {
        try (OperatorHarness<Long> harness = harness(0, 0)) {
            receive(harness, 0, 100);
            receive(harness, 1, 50);
            harness.batchEnd(1);

            partitions.end(1);
            harness.processingTime(2);

            assertEquals(List.of(49L, 99L), harness.output().watermarks());
        }
    }

    @Test
    void shouldForwardTheEndOfAllDataAndNoOtherWatermark() throws Exception {
        try (OperatorHarness<Long> harness = harness(0, 0)) {
            harness.operator().watermark(5);
            harness.operator().watermark(Long.MAX_VALUE);

            assertEquals(List.of(Long.MAX_VALUE), harness.output().watermarks());
        }
    }

    @Test
    void shouldKnowThePartitionsAgainAfterARestore() throws Exception {
        try (OperatorHarness<Long> harness = harness(10, 0)) {
            receive(harness, 0, 100);
            receive(harness, 1, 50);

            harness.restore();
            receive(harness, 0, 70);
            harness.batchEnd(1);

            assertEquals(new Emission(70L, 70, 89), harness.output().records().get(2));
            assertEquals(List.of(39L), harness.output().watermarks());
        }
    }

    @Test
    void shouldTakeAPartitionsTimeAlongWhenItMovesToAnotherTask() throws Exception {
        final OperatorHarness.Snapshot snapshot;
        try (OperatorHarness<Long> harness = harness(10, 0)) {
            receive(harness, 1, 50);
            snapshot = harness.snapshot();
        }
        final HarnessPartitions moved = new HarnessPartitions(5);
        try (OperatorHarness<Long> harness =
                new OperatorHarness<>(() -> operator(10, 0)).partitions(moved).open(snapshot)) {
            receive(harness, 0, 39);

            assertEquals(new Emission(39L, 39, 39), harness.output().records().get(0));
        }
    }

    @Test
    void shouldNotWaitForAPartitionThatHasBeenSilentTooLong() throws Exception {
        try (OperatorHarness<Long> harness = harness(0, 1_000)) {
            receive(harness, 0, 100);
            harness.batchEnd(900);
            assertEquals(List.of(), harness.output().watermarks());

            harness.processingTime(1_000);

            assertEquals(List.of(99L), harness.output().watermarks());
            assertEquals(0, harness.output().idles());
        }
    }

    @Test
    void shouldBeIdleOnceWhenAllPartitionsAreSilentUntilOneSpeaks() throws Exception {
        try (OperatorHarness<Long> harness = harness(0, 1_000)) {
            harness.processingTime(1_000);
            harness.processingTime(2_000);
            assertEquals(1, harness.output().idles());

            receive(harness, 0, 100);
            harness.batchEnd(2_500);
            assertEquals(List.of(99L), harness.output().watermarks());

            harness.processingTime(3_500);
            assertEquals(2, harness.output().idles());
        }
    }

    @Test
    void shouldBeIdleWithoutAPartition() throws Exception {
        try (OperatorHarness<Long> harness = new OperatorHarness<>(() -> operator(0, 0))
                .partitions(new HarnessPartitions())
                .open()) {
            harness.processingTime(1);

            assertEquals(1, harness.output().idles());
            assertEquals(List.of(), harness.output().watermarks());
        }
    }

    @Test
    void shouldRefuseATimeThatNanosecondsCannotHold() throws Exception {
        final OperatorHarness<Long> harness =
                new OperatorHarness<>(() -> new EventTimeOperator<>(value -> value, TimeUnit.MILLISECONDS, 10, 0));
        try (harness) {
            harness.partitions(partitions).open();
            for (final long time : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 1000}) {
                final IllegalArgumentException e =
                        assertThrows(IllegalArgumentException.class, () -> harness.receive(time, NONE, NONE));
                assertTrue(e.getMessage().startsWith("timestamp " + time + " MILLISECONDS"), e.getMessage());
            }
            harness.receive(7L, NONE, NONE);
            assertEquals(7_000_000, harness.output().records().get(0).timestampNs());
        }
    }

    private OperatorHarness<Long> harness(final long boundNs, final long idlenessNs) throws Exception {
        return new OperatorHarness<>(() -> operator(boundNs, idlenessNs))
                .partitions(partitions)
                .open();
    }

    private static EventTimeOperator<Long> operator(final long boundNs, final long idlenessNs) {
        return new EventTimeOperator<>(value -> value, TimeUnit.NANOSECONDS, boundNs, idlenessNs);
    }

    private void receive(final OperatorHarness<Long> harness, final int ordinal, final long time) throws Exception {
        if (ordinal < 2) {
            partitions.current(ordinal);
        }
        harness.receive(time, NONE, NONE);
    }
}
