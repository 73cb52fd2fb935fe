package io.weir.engine.coordinator;

/**
 * Decides whether a checkpoint is to be triggered now, and on whose account: a savepoint that was asked for first, then the final
 * one of ending tasks, then a manual request, then the period. Only the period obeys the pause; savepoints take a slot only
 * where they must.
 */
final class RequestDecider {
    /** The least time between a final checkpoint that failed and the next one. */
    static final long FINAL_RETRY_NS = 10_000_000;

    /** On whose account to trigger, or why not to. */
    enum Decision {
        SAVEPOINT,
        FINAL,
        REQUESTED,
        PERIODIC,
        WAIT_FOR_SLOT,
        WAIT_FOR_PAUSE,
        WAIT_FOR_DELETIONS,
        NOTHING_DUE
    }

    private final CheckpointSettings settings;
    private final PeriodicSchedule schedule;
    private final PendingCheckpoints pending;
    private final EndingTasks ending;
    private final WaitingRequests waiting;
    private int deletions;
    private long finalId = CheckpointHistory.NO_CHECKPOINT;
    private long finalNotBeforeNs = Long.MIN_VALUE;

    RequestDecider(
            CheckpointSettings settings, PendingCheckpoints pending, EndingTasks ending, WaitingRequests waiting) {
        this.settings = settings;
        this.schedule = new PeriodicSchedule(settings);
        this.pending = pending;
        this.ending = ending;
        this.waiting = waiting;
    }

    void startPeriodic(long nowNs) {
        schedule.start(nowNs);
    }

    void stopPeriodic() {
        schedule.stop();
    }

    void backlog(boolean isBacklog) {
        schedule.backlog(isBacklog);
    }

    void deletionsBegun(int count) {
        deletions += count;
    }

    void deletionEnded() {
        deletions--;
    }

    void reset() {
        finalNotBeforeNs = Long.MIN_VALUE;
        schedule.stop();
    }

    Decision decide(long nowNs, long latestCompletedId) {
        boolean finalDue = finalNotBeforeNs <= nowNs && isFinalWanted(latestCompletedId);
        if (waiting.hasSavepoint() && (!settings.savepointsWait() || pending.hasSlot())) {
            return Decision.SAVEPOINT;
        }
        if (!finalDue && !waiting.hasCheckpoint() && !waiting.hasSavepoint() && !schedule.isDue(nowNs)) {
            return Decision.NOTHING_DUE;
        }
        if (!pending.hasSlot()) {
            return Decision.WAIT_FOR_SLOT;
        }
        if (finalDue) {
            return Decision.FINAL;
        }
        if (haveDeletionsToCatchUp()) {
            return Decision.WAIT_FOR_DELETIONS;
        }
        if (waiting.hasCheckpoint()) {
            return Decision.REQUESTED;
        }
        return schedule.isPausing(nowNs, pending.isSlotTaken()) ? Decision.WAIT_FOR_PAUSE : Decision.PERIODIC;
    }

    private boolean haveDeletionsToCatchUp() {
        return deletions > settings.maxConcurrent();
    }

    void onTriggered(Decision account, long checkpointId, long nowNs) {
        if (account == Decision.FINAL) {
            finalId = checkpointId;
        } else if (account == Decision.PERIODIC) {
            schedule.onTriggered(nowNs);
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
        long periodicNs = haveDeletionsToCatchUp() ? Long.MAX_VALUE : schedule.nextNs(pending.isSlotTaken());
        return isFinalWanted(latestCompletedId) ? Math.min(periodicNs, finalNotBeforeNs) : periodicNs;
    }

    private boolean isFinalWanted(long latestCompletedId) {
        long wanted = ending.finalCheckpointId(latestCompletedId);
        return wanted != CheckpointHistory.NO_CHECKPOINT && pending.newestOfJob() < wanted;
    }
}
