package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Every figure belongs to one checkpoint (FLINK-23201); the trigger is at 1000. */
class BarrierMetricsTest {
    private static final int TIMEOUT = BarrierOptions.ALIGNED_WITH_TIMEOUT;
    private static final int UNALIGNED = BarrierOptions.UNALIGNED;

    private final BarrierHandler aligned = BarrierSettings.aligned().handler(BarrierChannels.of(3, 0));
    private final BarrierHandler unaligned = BarrierSettings.unaligned(0).handler(BarrierChannels.of(3, 1));
    private final BarrierHandler timed = BarrierSettings.unaligned(100).handler(BarrierChannels.of(2, 1));

    @Test
    void shouldMeasureOneChannelAsAlignedAtOnceFc01() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(1, 0));
        handler.onProcessed(100);

        assertEquals(metrics(30, 0, 0), cut(handler.onBarrier(0, 1, 1_000, 0, 1_030)));
    }

    @Test
    void shouldMeasureAnAlignmentFc04() {
        aligned.onProcessed(300);
        aligned.onBarrier(1, 1, 1_000, 0, 1_010);
        aligned.onProcessed(200);
        aligned.onBarrier(0, 1, 1_000, 0, 1_015);
        aligned.onProcessed(100);

        assertEquals(metrics(10, 15, 300), cut(aligned.onBarrier(2, 1, 1_000, 0, 1_025)));
    }

    @Test
    void shouldMeasureEachCheckpointAnew() {
        aligned.onBarrier(0, 1, 900, 0, 1_000);
        aligned.onProcessed(100);
        aligned.onCancellation(1, 1, 1_500);
        aligned.onProcessed(100);
        aligned.onBarrier(0, 2, 1_900, 0, 2_000);
        aligned.onBarrier(1, 1, 900, 0, 2_001);
        aligned.onProcessed(8);
        aligned.onBarrier(1, 2, 1_900, 0, 2_002);

        assertEquals(metrics(100, 7, 8), cut(aligned.onBarrier(2, 2, 1_900, 0, 2_007)));
    }

    @Test
    void shouldMeasureFromTheFirstSignToTheLastFc50() {
        unaligned.onProcessed(300);
        List<BarrierAction> first = unaligned.onBarrier(1, 1, 1_000, UNALIGNED, 1_010);
        assertEquals(new BarrierMetrics(10, 0, 0, 0, 0, 0, true), cut(first));
        unaligned.onSnapshotTaken(1, channel -> 0, 40, 1_013);
        unaligned.onCaptured(0, 1, 300, 300, 1_014);
        unaligned.onProcessed(300);
        unaligned.onBarrierAhead(0, 1, 1_015);
        unaligned.onProcessed(300);
        unaligned.onCaptured(2, 1, 100, 100, 1_020);

        assertEquals(new BarrierMetrics(10, 15, 600, 440, 3, 12, true), closed(unaligned.onBarrierAhead(2, 1, 1_025)));
    }

    @Test
    void shouldEndTheAlignmentWithTheLastBarrierThoughDataIsCapturedLater() {
        int fixed = BarrierOptions.positionFixed(UNALIGNED);
        unaligned.onAnnouncement(0, 1, 1_000, fixed, 64, 1_010);
        unaligned.onSnapshotTaken(1, channel -> 0, 0, 1_010);
        unaligned.onAnnouncement(1, 1, 1_000, fixed, 0, 1_011);
        unaligned.onProcessed(8);
        unaligned.onAnnouncement(2, 1, 1_000, fixed, 0, 1_012);
        unaligned.onProcessed(8);

        assertEquals(new BarrierMetrics(10, 2, 8, 48, 0, 10, true), closed(unaligned.onCaptured(0, 1, 64, 48, 1_020)));
    }

    @Test
    void shouldMeasureFromTheAnnouncement() {
        timed.onAnnouncement(0, 1, 1_000, TIMEOUT, 0, 1_020);
        timed.onBarrier(0, 1, 1_000, TIMEOUT, 1_050);
        timed.onProcessed(8);

        assertEquals(metrics(20, 40, 8), cut(timed.onBarrier(1, 1, 1_000, TIMEOUT, 1_060)));
    }

    @Test
    void shouldTellThatABarrierOvertookInTheOutbox() {
        timed.onBarrier(0, 1, 1_000, TIMEOUT, 1_010);
        assertEquals(metrics(10, 20, 0), cut(timed.onBarrier(1, 1, 1_000, TIMEOUT, 1_030)));
        timed.onSnapshotTaken(1, channel -> 0, 0, 1_032);
        timed.onTime(1_100);

        assertEquals(new BarrierMetrics(10, 20, 0, 24, 2, 69, true), closed(timed.onOvertaken(0, 1, 24, 1_101)));
    }

    @Test
    void shouldMeasureCountedBarriers() {
        BarrierHandler counting = BarrierSettings.atLeastOnce().handler(BarrierChannels.of(2, 0));
        counting.onBarrier(0, 1, 1_000, 0, 1_005);
        counting.onBarrier(0, 2, 1_010, 0, 1_015);
        counting.onProcessed(16);

        assertEquals(metrics(5, 15, 16), cut(counting.onBarrier(1, 1, 1_000, 0, 1_020)));
        assertEquals(metrics(5, 10, 16), cut(counting.onBarrier(1, 2, 1_010, 0, 1_025)));
    }

    @Test
    void shouldNotMeasureBelowZeroWhenClocksDiffer() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(1, 0));

        assertEquals(metrics(0, 0, 0), cut(handler.onBarrier(0, 1, 2_000, 0, 1_000)));
    }

    private static BarrierMetrics metrics(long startDelayNs, long alignmentTimeNs, long bytesProcessed) {
        return new BarrierMetrics(startDelayNs, alignmentTimeNs, bytesProcessed, 0, 0, 0, false);
    }

    private static BarrierMetrics cut(List<BarrierAction> actions) {
        return ((BarrierAction.Snapshot) actions.get(0)).metrics();
    }

    private static BarrierMetrics closed(List<BarrierAction> actions) {
        return ((BarrierAction.ChannelStateClosed) actions.get(0)).metrics();
    }
}
