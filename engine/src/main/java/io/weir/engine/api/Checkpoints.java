package io.weir.engine.api;

import io.weir.storage.checkpoint.CheckpointStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a job's checkpoints. Fluent; {@link #conclude()} checks them and copies them, so that a later change does not reach
 * a running job. One thread at a time.
 */
public final class Checkpoints {
    /** System property for the default of {@link #timeout}, in milliseconds. */
    public static final String TIMEOUT_MS_PROP = "weir.checkpoints.timeoutMs";

    /** Default of {@link #timeout}. */
    public static final long TIMEOUT_MS_DEFAULT = 600_000;

    /** System property for the default of {@link #minPause}, in milliseconds. */
    public static final String MIN_PAUSE_MS_PROP = "weir.checkpoints.minPauseMs";

    /** Default of {@link #minPause}. */
    public static final long MIN_PAUSE_MS_DEFAULT = 0;

    /** System property for the default of {@link #maxConcurrent}. */
    public static final String MAX_CONCURRENT_PROP = "weir.checkpoints.maxConcurrent";

    /** Default of {@link #maxConcurrent}. */
    public static final int MAX_CONCURRENT_DEFAULT = 1;

    /** System property for the default of {@link #tolerableFailures}. */
    public static final String TOLERABLE_FAILURES_PROP = "weir.checkpoints.tolerableFailures";

    /** Default of {@link #tolerableFailures}. */
    public static final int TOLERABLE_FAILURES_DEFAULT = 10;

    /** System property for the default of {@link #retained}. */
    public static final String RETAINED_PROP = "weir.checkpoints.retained";

    /** Default of {@link #retained}. */
    public static final int RETAINED_DEFAULT = 2;

    /** System property for the default of {@link #unaligned}, in milliseconds; barriers keep their place without it. */
    public static final String UNALIGNED_MS_PROP = "weir.checkpoints.unalignedMs";

    /** System property for the default of {@link #maxChannelState}, in bytes. */
    public static final String MAX_CHANNEL_STATE_PROP = "weir.checkpoints.maxChannelState";

    /** Default of {@link #maxChannelState}: no limit. */
    public static final long MAX_CHANNEL_STATE_DEFAULT = Long.MAX_VALUE;

    private final Duration interval;
    private Place place;
    private boolean atLeastOnce;
    private Duration alignmentTimeout = alignmentTimeoutDefault();
    private long maxChannelStateBytes = Long.getLong(MAX_CHANNEL_STATE_PROP, MAX_CHANNEL_STATE_DEFAULT);
    private Duration timeout = Duration.ofMillis(Long.getLong(TIMEOUT_MS_PROP, TIMEOUT_MS_DEFAULT));
    private Duration minPause = Duration.ofMillis(Long.getLong(MIN_PAUSE_MS_PROP, MIN_PAUSE_MS_DEFAULT));
    private int maxConcurrent = Integer.getInteger(MAX_CONCURRENT_PROP, MAX_CONCURRENT_DEFAULT);
    private int tolerableFailures = Integer.getInteger(TOLERABLE_FAILURES_PROP, TOLERABLE_FAILURES_DEFAULT);
    private int retained = Integer.getInteger(RETAINED_PROP, RETAINED_DEFAULT);
    private Duration backlogInterval;
    private boolean deletedOnCancel;

    private Checkpoints(final Duration interval) {
        this.interval = Objects.requireNonNull(interval, "interval");
    }

    private static Duration alignmentTimeoutDefault() {
        final Long timeoutMs = Long.getLong(UNALIGNED_MS_PROP);
        return timeoutMs == null ? null : Duration.ofMillis(timeoutMs);
    }

    /**
     * Periodic checkpoints.
     *
     * @param interval from one trigger to the next, at least a millisecond.
     * @return settings with defaults; say next where checkpoints go: {@link #in(Path)} or {@link #inMemory()}.
     */
    public static Checkpoints every(final Duration interval) {
        return new Checkpoints(interval);
    }

    /**
     * Keeps checkpoints in files: they outlive the process.
     *
     * @param directory made if it is missing.
     * @return this.
     */
    public Checkpoints in(final Path directory) {
        this.place = new Directory(directory);
        return this;
    }

    /**
     * Keeps checkpoints in a storage of the user.
     *
     * @param storage to use.
     * @return this.
     */
    public Checkpoints in(final CheckpointStorage storage) {
        this.place = new Storage(storage);
        return this;
    }

    /**
     * Keeps checkpoints in memory: they serve restarts within the process and are gone with it.
     *
     * @return this.
     */
    public Checkpoints inMemory() {
        this.place = new Memory();
        return this;
    }

    /**
     * Sets how long a checkpoint may take before it is given up.
     *
     * @param newTimeout positive. Default 10 minutes.
     * @return this.
     */
    public Checkpoints timeout(final Duration newTimeout) {
        this.timeout = Objects.requireNonNull(newTimeout, "timeout");
        return this;
    }

    /**
     * Sets the pause between the end of a checkpoint and the trigger of the next periodic one.
     *
     * @param newMinPause not negative. Default none.
     * @return this.
     */
    public Checkpoints minPause(final Duration newMinPause) {
        this.minPause = Objects.requireNonNull(newMinPause, "minPause");
        return this;
    }

    /**
     * Sets how many checkpoints may be under way at once.
     *
     * @param checkpoints at least 1. Default 1.
     * @return this.
     */
    public Checkpoints maxConcurrent(final int checkpoints) {
        this.maxConcurrent = checkpoints;
        return this;
    }

    /**
     * Sets how many checkpoints may fail one after another before the job fails.
     *
     * @param failures at least 0. Default 10.
     * @return this.
     */
    public Checkpoints tolerableFailures(final int failures) {
        this.tolerableFailures = failures;
        return this;
    }

    /**
     * Sets how many completed checkpoints are kept.
     *
     * @param checkpoints at least 1. Default 2.
     * @return this.
     */
    public Checkpoints retained(final int checkpoints) {
        this.retained = checkpoints;
        return this;
    }

    /**
     * Has all completed checkpoints deleted when the user cancels the job; not when it fails, stops, finishes or its engine is
     * closed. Savepoints stay. Default: they are retained.
     *
     * @return this.
     */
    public Checkpoints deleteOnCancel() {
        this.deletedOnCancel = true;
        return this;
    }

    /**
     * Sets another interval for as long as a source is catching up: from its start, or restart, until it has first read all that its
     * log has. A source that never runs dry is always catching up.
     *
     * @param backlog at least the normal interval, or zero for no periodic checkpoints meanwhile. Default the normal one.
     * @return this.
     */
    public Checkpoints intervalDuringBacklog(final Duration backlog) {
        this.backlogInterval = Objects.requireNonNull(backlog, "intervalDuringBacklog");
        return this;
    }

    /**
     * Lets barriers overtake data in flight, which is then part of the checkpoint: its duration does not depend on slow operators
     * and full channels, and it has more bytes. Broadcast edges and those from task to task keep their order and stay aligned.
     *
     * <p>A newer checkpoint gives up an older one that still copies what is in flight: leave {@link #maxConcurrent} at 1 unless the
     * interval is long.
     *
     * @param newAlignmentTimeout from a checkpoint's trigger: how long its barriers keep their place before they overtake, not
     *     negative; zero for at once. Default: they never do.
     * @return this.
     */
    public Checkpoints unaligned(final Duration newAlignmentTimeout) {
        this.alignmentTimeout = Objects.requireNonNull(newAlignmentTimeout, "alignmentTimeout");
        return this;
    }

    /**
     * Sets how many bytes in flight one task may hold in one unaligned checkpoint; past it the task declines the checkpoint.
     *
     * @param bytes at least 0. Default no limit but what the channels hold. No effect without {@link #unaligned}.
     * @return this.
     */
    public Checkpoints maxChannelState(final long bytes) {
        this.maxChannelStateBytes = bytes;
        return this;
    }

    /**
     * Lets nothing wait for barriers: after a failure, records may count twice. Cheaper only where channels are uneven; it excludes
     * {@link #unaligned}. Default exactly once.
     *
     * @return this.
     */
    public Checkpoints atLeastOnce() {
        this.atLeastOnce = true;
        return this;
    }

    /**
     * Checks the settings and copies them.
     *
     * @return the settings.
     * @throws IllegalArgumentException if one is out of range; the message names it.
     */
    public Settings conclude() {
        if (place == null) {
            throw new IllegalArgumentException(
                    "checkpoints need a place: call in(directory) or inMemory() on Checkpoints.every(" + interval
                            + ")");
        }
        if (alignmentTimeout != null && atLeastOnce) {
            throw new IllegalArgumentException("unaligned=" + alignmentTimeout
                    + " and atLeastOnce exclude each other: where nothing waits for barriers none has to overtake");
        }
        return new Settings(
                interval.toNanos(),
                place,
                atLeastOnce,
                alignmentTimeoutNs(),
                maxChannelStateBytes,
                timeout.toNanos(),
                minPause.toNanos(),
                maxConcurrent,
                tolerableFailures,
                retained,
                backlogInterval == null ? interval.toNanos() : backlogInterval.toNanos(),
                !deletedOnCancel);
    }

    private long alignmentTimeoutNs() {
        if (alignmentTimeout == null) {
            return Settings.NEVER_UNALIGNED;
        }
        if (alignmentTimeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0) {
            throw new IllegalArgumentException("unaligned=" + alignmentTimeout + " must be shorter than 292 years");
        }
        return alignmentTimeout.toNanos();
    }

    @Override
    public String toString() {
        return "Checkpoints{interval=" + interval + ", place=" + place + ", timeout=" + timeout + ", minPause="
                + minPause
                + ", maxConcurrent=" + maxConcurrent + ", tolerableFailures=" + tolerableFailures + ", retained="
                + retained
                + (backlogInterval == null ? "" : ", intervalDuringBacklog=" + backlogInterval)
                + (deletedOnCancel ? ", deleteOnCancel" : "")
                + ", unaligned=" + (alignmentTimeout == null ? "off" : alignmentTimeout)
                + ", maxChannelState=" + (maxChannelStateBytes == Long.MAX_VALUE ? "off" : maxChannelStateBytes)
                + (atLeastOnce ? ", atLeastOnce" : "") + '}';
    }

    /** Where checkpoints are kept. */
    public sealed interface Place {}

    /**
     * In files.
     *
     * @param directory made if it is missing.
     */
    public record Directory(Path directory) implements Place {
        /** Checks that there is one. */
        public Directory {
            Objects.requireNonNull(directory, "directory");
        }
    }

    /** In memory. */
    public record Memory() implements Place {}

    /**
     * In a storage of the user.
     *
     * @param storage to use.
     */
    public record Storage(CheckpointStorage storage) implements Place {
        /** Checks that there is one. */
        public Storage {
            Objects.requireNonNull(storage, "storage");
        }
    }

    /**
     * Checked settings.
     *
     * @param intervalNs from trigger to trigger, at least a millisecond.
     * @param place where checkpoints go.
     * @param atLeastOnce whether nothing waits for barriers, so that records may count twice after a failure.
     * @param alignmentTimeoutNs from a checkpoint's trigger until its barriers overtake data, not negative; {@link
     *     #NEVER_UNALIGNED} if they never do.
     * @param maxChannelStateBytes in flight that one task may hold in one checkpoint, not negative.
     * @param timeoutNs after which one is given up, positive.
     * @param minPauseNs after one before the next periodic one, not negative.
     * @param maxConcurrent under way at once, at least 1.
     * @param tolerableFailures one after another, at least 0.
     * @param retained completed ones that are kept, at least 1.
     * @param backlogIntervalNs from trigger to trigger while a source is catching up, at least {@code intervalNs}; 0 for none.
     * @param isRetainedOnCancel whether completed ones outlive a cancelled job.
     */
    public record Settings(
            long intervalNs,
            Place place,
            boolean atLeastOnce,
            long alignmentTimeoutNs,
            long maxChannelStateBytes,
            long timeoutNs,
            long minPauseNs,
            int maxConcurrent,
            int tolerableFailures,
            int retained,
            long backlogIntervalNs,
            boolean isRetainedOnCancel) {
        /** The {@link #alignmentTimeoutNs} of checkpoints whose barriers keep their place. */
        public static final long NEVER_UNALIGNED = Long.MAX_VALUE;

        private static final long MIN_INTERVAL_NS = 1_000_000;

        /** Checks the ranges. */
        public Settings {
            Objects.requireNonNull(place, "place");
            atLeast("checkpoint intervalNs", intervalNs, MIN_INTERVAL_NS);
            atLeast("unaligned alignmentTimeoutNs", alignmentTimeoutNs, 0);
            atLeast("maxChannelState", maxChannelStateBytes, 0);
            atLeast("checkpoint timeoutNs", timeoutNs, 1);
            atLeast("checkpoint minPauseNs", minPauseNs, 0);
            atLeast("maxConcurrent checkpoints", maxConcurrent, 1);
            atLeast("tolerableFailures of checkpoints", tolerableFailures, 0);
            atLeast("retained checkpoints", retained, 1);
            if (backlogIntervalNs != 0) {
                atLeast("intervalDuringBacklog backlogIntervalNs", backlogIntervalNs, intervalNs);
            }
        }

        private static void atLeast(final String name, final long value, final long least) {
            if (value < least) {
                throw new IllegalArgumentException(name + "=" + value + " must be >= " + least);
            }
        }
    }
}
