package io.weir.engine.barrier;

/**
 * How a job's checkpoints treat the data before their barriers; the same for all its tasks. The decision of
 * {@code DESIGN.md} section 4 is made here and nowhere else: at-least-once knows no alignment, savepoints are always
 * aligned, a timeout without unaligned checkpoints has no effect.
 *
 * @param mode of the job.
 * @param unaligned whether barriers may overtake data.
 * @param alignmentTimeoutNs from a checkpoint's trigger until barriers overtake data, at least 0; 0 for at once.
 * @param maxChannelStateBytes that one task captures for one checkpoint, at least 0; past it the task declines.
 * @param captureSliceLength of stream that is captured in one go, in bytes, positive.
 */
public record BarrierSettings(
        CheckpointingMode mode,
        boolean unaligned,
        long alignmentTimeoutNs,
        long maxChannelStateBytes,
        int captureSliceLength) {
    private static final int DEFAULT_CAPTURE_SLICE_LENGTH = 64 * 1024;

    /** Checks the ranges. */
    public BarrierSettings {
        if (alignmentTimeoutNs < 0) {
            throw new IllegalArgumentException("alignmentTimeoutNs=" + alignmentTimeoutNs + " must be >= 0");
        }
        if (maxChannelStateBytes < 0) {
            throw new IllegalArgumentException("maxChannelStateBytes=" + maxChannelStateBytes + " must be >= 0");
        }
        if (captureSliceLength <= 0) {
            throw new IllegalArgumentException("captureSliceLength=" + captureSliceLength + " must be > 0");
        }
    }

    /**
     * Exactly once, always aligned.
     *
     * @return the settings.
     */
    public static BarrierSettings aligned() {
        return new BarrierSettings(
                CheckpointingMode.EXACTLY_ONCE, false, 0, Long.MAX_VALUE, DEFAULT_CAPTURE_SLICE_LENGTH);
    }

    /**
     * Exactly once, unaligned past a timeout.
     *
     * @param alignmentTimeoutNs from a checkpoint's trigger, at least 0; 0 for at once.
     * @return the settings, with no limit on channel state.
     */
    public static BarrierSettings unaligned(long alignmentTimeoutNs) {
        return new BarrierSettings(
                CheckpointingMode.EXACTLY_ONCE, true, alignmentTimeoutNs, Long.MAX_VALUE, DEFAULT_CAPTURE_SLICE_LENGTH);
    }

    /**
     * At least once.
     *
     * @return the settings.
     */
    public static BarrierSettings atLeastOnce() {
        return new BarrierSettings(
                CheckpointingMode.AT_LEAST_ONCE, false, 0, Long.MAX_VALUE, DEFAULT_CAPTURE_SLICE_LENGTH);
    }

    /**
     * The same settings with a limit on channel state.
     *
     * @param bytes that one task captures for one checkpoint, at least 0.
     * @return the settings.
     */
    public BarrierSettings maxChannelStateBytes(long bytes) {
        return new BarrierSettings(mode, unaligned, alignmentTimeoutNs, bytes, captureSliceLength);
    }

    /**
     * The options that the coordinator triggers checkpoints with.
     *
     * @return the {@link BarrierOptions}.
     */
    public int checkpointOptions() {
        if (!mayOvertake()) {
            return BarrierOptions.ALIGNED;
        }
        return alignmentTimeoutNs == 0 ? BarrierOptions.UNALIGNED : BarrierOptions.ALIGNED_WITH_TIMEOUT;
    }

    /**
     * The options that the coordinator triggers savepoints with.
     *
     * @return the {@link BarrierOptions}.
     */
    public int savepointOptions() {
        return BarrierOptions.SAVEPOINT;
    }

    /**
     * A handler for one task of the job.
     *
     * @param channels of the task.
     * @return the handler, which has seen no checkpoint.
     */
    public BarrierHandler handler(BarrierChannels channels) {
        return mode == CheckpointingMode.AT_LEAST_ONCE
                ? new AtLeastOnceBarrierHandler(this, channels.inputs())
                : new ExactlyOnceBarrierHandler(this, channels);
    }

    boolean mayOvertake() {
        return unaligned && mode == CheckpointingMode.EXACTLY_ONCE;
    }

    /** When a checkpoint that may overtake does so by itself. */
    long deadlineNs(long triggerTimeNs) {
        long deadlineNs = triggerTimeNs + alignmentTimeoutNs;
        return deadlineNs < triggerTimeNs ? Long.MAX_VALUE : deadlineNs;
    }
}
