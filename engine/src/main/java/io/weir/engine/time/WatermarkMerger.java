package io.weir.engine.time;

import java.util.Arrays;

/**
 * Merges the watermarks of several channels into one: the least of all channels that are not idle. It never goes back; an idle
 * channel that speaks again holds it still until it has caught up. A channel whose watermark is {@link Long#MAX_VALUE} has ended:
 * beside idle channels it says nothing about the merged stream, which ends when all have. Pure; task thread; allocates nothing
 * after construction.
 */
public final class WatermarkMerger {
    private final long[] watermarks;
    private final boolean[] idle;
    private final boolean[] ended;
    private int idleCount;
    private int endedCount;
    private long merged;

    /**
     * Active channels without a watermark.
     *
     * @param channels how many, at least 1.
     */
    public WatermarkMerger(final int channels) {
        this(channels, Long.MIN_VALUE);
    }

    /**
     * Active channels without a watermark, merged before.
     *
     * @param channels how many, at least 1.
     * @param restoredWatermarkNs the merged watermark of a snapshot.
     */
    public WatermarkMerger(final int channels, final long restoredWatermarkNs) {
        if (channels < 1) {
            throw new IllegalArgumentException("channels=" + channels + " must be >= 1");
        }
        this.watermarks = new long[channels];
        this.idle = new boolean[channels];
        this.ended = new boolean[channels];
        this.merged = restoredWatermarkNs;
        Arrays.fill(watermarks, Long.MIN_VALUE);
    }

    /**
     * A channel's watermark; the channel is active from now on. One that goes back is ignored.
     *
     * @param channel index.
     * @param watermarkNs epoch nanoseconds.
     * @return whether the merged watermark advanced.
     */
    public boolean onWatermark(final int channel, final long watermarkNs) {
        if (ended[channel]) {
            return false;
        }
        if (watermarkNs == Long.MAX_VALUE) {
            return onEnd(channel);
        }
        boolean mayAdvance = activate(channel);
        if (watermarkNs > watermarks[channel]) {
            mayAdvance |= watermarks[channel] <= merged;
            watermarks[channel] = watermarkNs;
        }
        return mayAdvance && advance();
    }

    /**
     * A channel no longer holds back the others.
     *
     * @param channel index.
     * @return whether the merged watermark advanced.
     */
    public boolean onIdle(final int channel) {
        if (ended[channel] || idle[channel]) {
            return false;
        }
        idle[channel] = true;
        idleCount++;
        return advance();
    }

    /**
     * A record came over a channel: it counts again.
     *
     * @param channel index.
     * @return whether the merged watermark advanced: when all were idle, and this one was ahead of those that held it back.
     */
    public boolean onActive(final int channel) {
        return !ended[channel] && activate(channel) && advance();
    }

    /**
     * Nothing comes over a channel any more.
     *
     * @param channel index.
     * @return whether the merged watermark advanced.
     */
    public boolean onEnd(final int channel) {
        if (ended[channel]) {
            return false;
        }
        activate(channel);
        ended[channel] = true;
        endedCount++;
        watermarks[channel] = Long.MAX_VALUE;
        return advance();
    }

    /**
     * The merged watermark.
     *
     * @return epoch nanoseconds, {@link Long#MIN_VALUE} before any.
     */
    public long watermarkNs() {
        return merged;
    }

    /**
     * Whether all channels that have not ended are idle, and there is one.
     *
     * @return true if the merged stream is idle.
     */
    public boolean isIdle() {
        return idleCount > 0 && idleCount + endedCount == watermarks.length;
    }

    private boolean activate(final int channel) {
        if (!idle[channel]) {
            return false;
        }
        idle[channel] = false;
        idleCount--;
        return true;
    }

    private boolean advance() {
        if (isIdle()) {
            return false;
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < watermarks.length; i++) {
            if (!idle[i]) {
                least = Math.min(least, watermarks[i]);
            }
        }
        if (least <= merged) {
            return false;
        }
        merged = least;
        return true;
    }
}
