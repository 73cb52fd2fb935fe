package io.weir.engine.coordinator;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The checkpoints between trigger and end, and which of them is being stored. */
final class PendingCheckpoints {
    private final TreeMap<Long, PendingCheckpoint> byId = new TreeMap<>();
    private final int maxConcurrent;
    private final long timeoutNs;
    private final boolean savepointsWait;
    private long storingId = CheckpointHistory.NO_CHECKPOINT;

    PendingCheckpoints(CheckpointSettings settings) {
        this.maxConcurrent = settings.maxConcurrent();
        this.timeoutNs = settings.timeoutNs();
        this.savepointsWait = settings.savepointsWait();
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Whether a checkpoint may be triggered: not ahead of a savepoint whose place is being made, since tasks hear of ids in order. */
    boolean hasSlot() {
        return slotsTaken() < maxConcurrent && byId.values().stream().allMatch(PendingCheckpoint::isPrepared);
    }

    boolean isSlotTaken() {
        return slotsTaken() > 0;
    }

    private long slotsTaken() {
        return savepointsWait
                ? byId.size()
                : byId.values().stream().filter(each -> each.kind().isOfJob()).count();
    }

    /** The newest that the job can go on from. */
    long newestOfJob() {
        return byId.values().stream()
                .filter(each -> each.kind().isOfJob())
                .mapToLong(PendingCheckpoint::checkpointId)
                .max()
                .orElse(CheckpointHistory.NO_CHECKPOINT);
    }

    /** Returns null if it isn't pending. */
    PendingCheckpoint get(long checkpointId) {
        return byId.get(checkpointId);
    }

    void add(PendingCheckpoint checkpoint) {
        byId.put(checkpoint.checkpointId(), checkpoint);
    }

    void remove(long checkpointId) {
        byId.remove(checkpointId);
    }

    /** All of them, rising; not to be held over an add or remove. */
    Collection<PendingCheckpoint> all() {
        return byId.values();
    }

    /** Those that the completion of a checkpoint makes useless. */
    List<PendingCheckpoint> subsumedBy(long checkpointId) {
        return byId.headMap(checkpointId).values().stream()
                .filter(each -> each.kind().isOfJob())
                .toList();
    }

    List<PendingCheckpoint> expired(long nowNs) {
        return byId.values().stream().filter(each -> deadlineNs(each) <= nowNs).toList();
    }

    List<PendingCheckpoint> notBeingStored() {
        return byId.values().stream()
                .filter(each -> each.checkpointId() != storingId)
                .toList();
    }

    long nextDeadlineNs() {
        return byId.values().stream().mapToLong(this::deadlineNs).min().orElse(Long.MAX_VALUE);
    }

    boolean isStoring() {
        return storingId != CheckpointHistory.NO_CHECKPOINT;
    }

    boolean isStoring(long checkpointId) {
        return isStoring() && storingId == checkpointId;
    }

    void endStore() {
        storingId = CheckpointHistory.NO_CHECKPOINT;
    }

    /** Has the oldest one stored that all tasks acknowledged, unless a store is under way. */
    void storeNext(List<CoordinatorAction> actions) {
        if (isStoring()) {
            return;
        }
        for (PendingCheckpoint each : byId.values()) {
            if (each.isFullyAcknowledged()) {
                storingId = each.checkpointId();
                actions.add(new CoordinatorAction.Store(storingId, each.kind()));
                return;
            }
        }
    }

    private long deadlineNs(PendingCheckpoint checkpoint) {
        return checkpoint.isFullyAcknowledged()
                ? Long.MAX_VALUE
                : PeriodicSchedule.plus(checkpoint.triggerTimeNs(), timeoutNs);
    }
}
