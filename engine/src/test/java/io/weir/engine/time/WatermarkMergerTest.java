package io.weir.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class WatermarkMergerTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final long END = Long.MAX_VALUE;
    private static final long SEED = System.nanoTime();

    private final WatermarkMerger merger = new WatermarkMerger(3);

    @Test
    void shouldAdvanceToTheLeastOfAllChannels() {
        assertFalse(merger.onWatermark(0, 10));
        assertFalse(merger.onWatermark(1, 20));
        assertEquals(NONE, merger.watermarkNs());

        assertTrue(merger.onWatermark(2, 5));

        assertEquals(5, merger.watermarkNs());
        assertFalse(merger.onWatermark(1, 30));
        assertTrue(merger.onWatermark(2, 15));
        assertEquals(10, merger.watermarkNs());
    }

    /** jet-1879. */
    @Test
    void shouldIgnoreAWatermarkThatGoesBack() {
        each(10);

        assertFalse(merger.onWatermark(0, 5));
        assertFalse(merger.onWatermark(0, 10));

        assertEquals(10, merger.watermarkNs());
    }

    @Test
    void shouldLeaveOutIdleChannels() {
        merger.onWatermark(0, 10);
        merger.onWatermark(1, 20);

        assertTrue(merger.onIdle(2));

        assertEquals(10, merger.watermarkNs());
        assertFalse(merger.isIdle());
        assertFalse(merger.onIdle(2));
    }

    @Test
    void shouldBeIdleWhenAllAreAndKeepItsWatermark() {
        each(10);
        assertFalse(merger.onIdle(0));
        assertFalse(merger.onIdle(1));

        assertFalse(merger.onIdle(2));

        assertTrue(merger.isIdle());
        assertEquals(10, merger.watermarkNs());
    }

    @Test
    void shouldStandStillUntilAnIdleChannelThatSpeaksAgainHasCaughtUp() {
        each(10);
        merger.onIdle(2);
        merger.onWatermark(0, 50);
        merger.onWatermark(1, 50);
        assertEquals(50, merger.watermarkNs());

        assertFalse(merger.onActive(2));

        assertFalse(merger.onWatermark(0, 80));
        assertFalse(merger.onWatermark(1, 80));
        assertFalse(merger.onWatermark(2, 40));
        assertEquals(50, merger.watermarkNs());
        assertTrue(merger.onWatermark(2, 70));
        assertEquals(70, merger.watermarkNs());
    }

    @Test
    void shouldAdvanceWhenOnlyTheChannelThatWasAheadSpeaksAgain() {
        each(10);
        merger.onWatermark(0, 50);
        merger.onIdle(0);
        merger.onIdle(1);
        merger.onIdle(2);
        assertEquals(10, merger.watermarkNs());

        assertTrue(merger.onActive(0));

        assertEquals(50, merger.watermarkNs());
    }

    @Test
    void shouldCountAnEndedChannelAsTheEndOfTime() {
        merger.onWatermark(0, 10);
        merger.onWatermark(1, 20);

        assertTrue(merger.onEnd(2));
        assertEquals(10, merger.watermarkNs());
        assertFalse(merger.onWatermark(2, 99));
        assertFalse(merger.onIdle(2));
        assertFalse(merger.onActive(2));
        assertTrue(merger.onEnd(0));
        assertEquals(20, merger.watermarkNs());
        assertTrue(merger.onEnd(1));

        assertEquals(END, merger.watermarkNs());
        assertFalse(merger.isIdle());
        assertFalse(merger.onEnd(1));
    }

    @Test
    void shouldBeIdleWhenTheRestHasEnded() {
        merger.onEnd(0);
        merger.onEnd(1);

        assertFalse(merger.onIdle(2));

        assertTrue(merger.isIdle());
        assertEquals(NONE, merger.watermarkNs());
    }

    @Test
    void shouldNotTakeTheEndOfOneChannelForTheEndOfAnIdleOne() {
        each(10);
        merger.onIdle(1);
        merger.onIdle(2);

        assertFalse(merger.onWatermark(0, END));

        assertTrue(merger.isIdle());
        assertEquals(10, merger.watermarkNs());
        assertFalse(merger.onActive(1));
        assertTrue(merger.onWatermark(1, 30));
        assertEquals(30, merger.watermarkNs());
        assertTrue(merger.onWatermark(1, END) || merger.onWatermark(2, END));
        assertEquals(END, merger.watermarkNs());
    }

    @Test
    void shouldNotGoBehindTheRestoredWatermark() {
        final WatermarkMerger restored = new WatermarkMerger(2, 100);

        assertFalse(restored.onWatermark(0, 50));
        assertFalse(restored.onWatermark(1, 60));
        assertEquals(100, restored.watermarkNs());
        assertFalse(restored.onWatermark(0, 110));
        assertTrue(restored.onWatermark(1, 120));
        assertEquals(110, restored.watermarkNs());
    }

    @Test
    void shouldNeedAChannel() {
        assertThrows(IllegalArgumentException.class, () -> new WatermarkMerger(0));
    }

    @Test
    void shouldAgreeWithAPlainModel() {
        final Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            final int channels = 1 + random.nextInt(5);
            final WatermarkMerger merged = new WatermarkMerger(channels);
            final Model model = new Model(channels);
            for (int step = 0; step < 100; step++) {
                final int channel = random.nextInt(channels);
                final long before = merged.watermarkNs();
                final boolean advanced;
                switch (random.nextInt(20)) {
                    case 0 -> {
                        model.end(channel);
                        advanced = merged.onEnd(channel);
                    }
                    case 1, 2, 3 -> {
                        model.idle(channel);
                        advanced = merged.onIdle(channel);
                    }
                    case 4, 5, 6 -> {
                        model.active(channel);
                        advanced = merged.onActive(channel);
                    }
                    default -> {
                        final long watermark = random.nextInt(25) == 0 ? END : random.nextInt(100);
                        model.watermark(channel, watermark);
                        advanced = merged.onWatermark(channel, watermark);
                    }
                }
                assertEquals(model.merged, merged.watermarkNs(), () -> "seed=" + SEED);
                assertEquals(advanced, merged.watermarkNs() > before, () -> "seed=" + SEED);
                assertEquals(model.isIdle(), merged.isIdle(), () -> "seed=" + SEED);
            }
        }
    }

    private void each(final long watermark) {
        for (int i = 0; i < 3; i++) {
            merger.onWatermark(i, watermark);
        }
    }

    /** Says the rule once, without counting. */
    private static final class Model {
        private final long[] watermarks;
        private final boolean[] idle;
        private final boolean[] ended;
        private long merged = NONE;

        Model(final int channels) {
            watermarks = new long[channels];
            idle = new boolean[channels];
            ended = new boolean[channels];
            java.util.Arrays.fill(watermarks, NONE);
        }

        void watermark(final int channel, final long watermark) {
            idle[channel] = false;
            watermarks[channel] = Math.max(watermarks[channel], watermark);
            ended[channel] |= watermark == END;
            merge();
        }

        void idle(final int channel) {
            idle[channel] = true;
            merge();
        }

        void active(final int channel) {
            idle[channel] = false;
            merge();
        }

        void end(final int channel) {
            ended[channel] = true;
            merge();
        }

        boolean isIdle() {
            boolean any = false;
            for (int i = 0; i < idle.length; i++) {
                if (!ended[i] && !idle[i]) {
                    return false;
                }
                any |= !ended[i];
            }
            return any;
        }

        private void merge() {
            if (isIdle()) {
                return;
            }
            long least = END;
            for (int i = 0; i < idle.length; i++) {
                if (!ended[i] && !idle[i]) {
                    least = Math.min(least, watermarks[i]);
                }
            }
            merged = Math.max(merged, least);
        }
    }
}
