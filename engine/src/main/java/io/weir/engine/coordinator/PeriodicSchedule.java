package io.weir.engine.coordinator;

/**
 * When the next periodic checkpoint is due. It keeps to a fixed rate while it can; intervals that were missed are left
 * out, never made up for. All times are the coordinator's.
 */
final class PeriodicSchedule {
    private static final long NEVER = Long.MAX_VALUE;

    private final long intervalNs;
    private final long minPauseNs;
    private long dueNs = NEVER;
    private long pauseEndNs = Long.MIN_VALUE;

    PeriodicSchedule(CheckpointSettings settings) {
        this.intervalNs = settings.intervalNs();
        this.minPauseNs = settings.minPauseNs();
    }

    void start(long nowNs) {
        dueNs = intervalNs == CheckpointSettings.NO_INTERVAL ? NEVER : plus(nowNs, intervalNs);
    }

    void stop() {
        dueNs = NEVER;
    }

    void onTriggered(long nowNs) {
        long next = plus(dueNs, intervalNs);
        dueNs = next > nowNs ? next : plus(nowNs, intervalNs);
    }

    void onCheckpointEnded(long nowNs) {
        pauseEndNs = plus(nowNs, minPauseNs);
    }

    boolean isDue(long nowNs) {
        return dueNs <= nowNs;
    }

    boolean isPausing(long nowNs, boolean anyPending) {
        return minPauseNs > 0 && (anyPending || nowNs < pauseEndNs);
    }

    /** The first time at which a periodic trigger may start if nothing else changes. */
    long nextNs(boolean anyPending) {
        if (dueNs == NEVER || (minPauseNs > 0 && anyPending)) {
            return NEVER;
        }
        return Math.max(dueNs, pauseEndNs);
    }

    static long plus(long timeNs, long spanNs) {
        return timeNs > NEVER - spanNs ? NEVER : timeNs + spanNs;
    }
}
