package io.weir.engine.coordinator;

/**
 * Decides whether a checkpoint is to be triggered now, and on whose account: the final one of ending tasks first, then a
 * manual request, then the period. All take a slot; only the period obeys the pause.
 */
final class RequestDecider {
    /** The least time between a final checkpoint that failed and the next one. */
    static final long FINAL_RETRY_NS = 10_000_000;

    /** On whose account to trigger, or why not to. */
    enum Decision {
        FINAL,
        REQUESTED,
        PERIODIC,
        WAIT_FOR_SLOT,
        WAIT_FOR_PAUSE,
        NOTHING_DUE
    }

    private final CheckpointSettings settings;
    private final PeriodicSchedule schedule;
    private final PendingCheckpoints pending;
    private final EndingTasks ending;
    private boolean requested;
    private long finalId = CheckpointHistory.NO_CHECKPOINT;
    private long finalNotBeforeNs = Long.MIN_VALUE;

    RequestDecider(CheckpointSettings settings, PendingCheckpoints pending, EndingTasks ending) {
        this.settings = settings;
        this.schedule = new PeriodicSchedule(settings);
        this.pending = pending;
        this.ending = ending;
    }

    void startPeriodic(long nowNs) {
        schedule.start(nowNs);
    }

    void stopPeriodic() {
        schedule.stop();
    }

    void request() {
        requested = true;
    }

    void forgetRequest() {
        requested = false;
    }

    void reset() {
        requested = false;
        finalNotBeforeNs = Long.MIN_VALUE;
        schedule.stop();
    }

    Decision decide(long nowNs, long latestCompletedId) {
        boolean finalDue = finalNotBeforeNs <= nowNs && isFinalWanted(latestCompletedId);
        if (!finalDue && !requested && !schedule.isDue(nowNs)) {
            return Decision.NOTHING_DUE;
        }
        if (!pending.hasSlot()) {
            return Decision.WAIT_FOR_SLOT;
        }
        if (finalDue) {
            return Decision.FINAL;
        }
        if (requested) {
            return Decision.REQUESTED;
        }
        return schedule.isPausing(nowNs, !pending.isEmpty()) ? Decision.WAIT_FOR_PAUSE : Decision.PERIODIC;
    }

    void onTriggered(Decision account, long checkpointId, long nowNs) {
        switch (account) {
            case FINAL -> finalId = checkpointId;
            case REQUESTED -> requested = false;
            case PERIODIC -> schedule.onTriggered(nowNs);
            default -> throw new AssertionError(account);
        }
    }

    void onCompleted(long nowNs) {
        schedule.onCheckpointEnded(nowNs);
    }

    void onAborted(long checkpointId, long nowNs) {
        schedule.onCheckpointEnded(nowNs);
        if (checkpointId == finalId) {
            finalNotBeforeNs = PeriodicSchedule.plus(nowNs, Math.max(settings.minPauseNs(), FINAL_RETRY_NS));
        }
    }

    /** When {@link #decide} may say more than now, unless something else happens first. */
    long nextNs(long latestCompletedId) {
        if (!pending.hasSlot()) {
            return Long.MAX_VALUE;
        }
        long periodicNs = schedule.nextNs(!pending.isEmpty());
        return isFinalWanted(latestCompletedId) ? Math.min(periodicNs, finalNotBeforeNs) : periodicNs;
    }

    private boolean isFinalWanted(long latestCompletedId) {
        long wanted = ending.finalCheckpointId(latestCompletedId);
        return wanted != CheckpointHistory.NO_CHECKPOINT && pending.newestId() < wanted;
    }
}
