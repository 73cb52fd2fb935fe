package io.weir.engine.coordinator;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The checkpoints between trigger and end, and which of them is being stored. */
final class PendingCheckpoints {
    private final TreeMap<Long, PendingCheckpoint> byId = new TreeMap<>();
    private final int maxConcurrent;
    private final long timeoutNs;
    private long storingId = CheckpointHistory.NO_CHECKPOINT;

    PendingCheckpoints(CheckpointSettings settings) {
        this.maxConcurrent = settings.maxConcurrent();
        this.timeoutNs = settings.timeoutNs();
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    boolean hasSlot() {
        return byId.size() < maxConcurrent;
    }

    long newestId() {
        return byId.isEmpty() ? CheckpointHistory.NO_CHECKPOINT : byId.lastKey();
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

    List<PendingCheckpoint> olderThan(long checkpointId) {
        return List.copyOf(byId.headMap(checkpointId).values());
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
                actions.add(new CoordinatorAction.Store(storingId));
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
