package io.weir.engine.coordinator;

/**
 * When the next periodic checkpoint is due. It keeps to a fixed rate while it can; intervals that were missed are left
 * out, never made up for. All times are the coordinator's.
 */
final class PeriodicSchedule {
    private static final long NEVER = Long.MAX_VALUE;

    private final long intervalNs;
    private final long backlogIntervalNs;
    private final long minPauseNs;
    private boolean running;
    private boolean backlog;
    private long lastNs;
    private long dueNs = NEVER;
    private long pauseEndNs = Long.MIN_VALUE;

    PeriodicSchedule(CheckpointSettings settings) {
        this.intervalNs = settings.intervalNs();
        this.backlogIntervalNs = settings.backlogIntervalNs();
        this.minPauseNs = settings.minPauseNs();
    }

    void start(long nowNs) {
        running = true;
        lastNs = nowNs;
        dueNs = next(nowNs);
    }

    void stop() {
        running = false;
        dueNs = NEVER;
    }

    /** A source is still catching up, or none is any more: the other interval holds from the last trigger on. */
    void backlog(boolean isBacklog) {
        if (backlog != isBacklog) {
            backlog = isBacklog;
            dueNs = running ? next(lastNs) : NEVER;
        }
    }

    private long next(long fromNs) {
        long ofNowNs = backlog ? backlogIntervalNs : intervalNs;
        return intervalNs == CheckpointSettings.NO_INTERVAL || ofNowNs == CheckpointSettings.NO_INTERVAL
                ? NEVER
                : plus(fromNs, ofNowNs);
    }

    void onTriggered(long nowNs) {
        long kept = next(dueNs);
        lastNs = kept > nowNs ? dueNs : nowNs;
        dueNs = next(lastNs);
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
