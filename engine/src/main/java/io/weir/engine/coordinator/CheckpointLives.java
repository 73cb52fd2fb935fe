package io.weir.engine.coordinator;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What becomes of a job's checkpoints: which is triggered, what its completion or end brings with it, and how a stop goes on. The
 * coordinator tells it what has happened and hands out the actions. Coordinator thread, but for the volatile ones.
 */
final class CheckpointLives {
    private static final long NO_CHECKPOINT = CheckpointHistory.NO_CHECKPOINT;
    private static final Set<CheckpointFailureReason> ENDS_OF_ALL =
            EnumSet.of(CheckpointFailureReason.JOB_FAILED, CheckpointFailureReason.SHUTDOWN);

    private final TaskTopology topology;
    private final PastCheckpoints past;
    private final PendingCheckpoints pending;
    private final EndingTasks ending;
    private final WaitingRequests waiting;
    private final RequestDecider decider;
    private final FailureTolerance tolerance;
    private final OutcomeCounts outcomes;
    private List<CoordinatorAction> actions = new ArrayList<>();
    private StopKind stop;
    private long stopRequestId;
    private long lastId = NO_CHECKPOINT;
    private long nextCheckpointId;
    private long nowNs;
    private volatile CoordinatorState state = CoordinatorState.STARTING;
    private volatile long latestCompletedId;

    CheckpointLives(
            TaskTopology topology,
            PastCheckpoints past,
            PendingCheckpoints pending,
            EndingTasks ending,
            WaitingRequests waiting,
            RequestDecider decider,
            CheckpointSettings settings,
            OutcomeCounts outcomes,
            long nextCheckpointId) {
        this.topology = topology;
        this.past = past;
        this.pending = pending;
        this.ending = ending;
        this.waiting = waiting;
        this.decider = decider;
        this.tolerance = new FailureTolerance(settings.tolerableFailures());
        this.outcomes = outcomes;
        this.nextCheckpointId = nextCheckpointId;
        this.latestCompletedId = past.latestId();
    }

    /** The time of the event that is being answered. */
    void now(long eventNs) {
        nowNs = eventNs;
    }

    long nowNs() {
        return nowNs;
    }

    /** What is asked for so far in answer to the event; others may add to it. */
    List<CoordinatorAction> actions() {
        return actions;
    }

    /** What is asked for in answer to the event; the next one begins anew. */
    List<CoordinatorAction> takeActions() {
        List<CoordinatorAction> result = actions;
        actions = new ArrayList<>();
        decider.deletionsBegun((int) result.stream()
                .filter(each -> each instanceof CoordinatorAction.Discard
                        || each instanceof CoordinatorAction.DiscardLate
                        || each instanceof CoordinatorAction.Drop)
                .count());
        return result;
    }

    /** Where the job's checkpoints stand. Any thread. */
    CoordinatorState state() {
        return state;
    }

    void state(CoordinatorState newState) {
        state = newState;
    }

    /** The newest completed checkpoint. Any thread. */
    long latestCompletedId() {
        return latestCompletedId;
    }

    long nextCheckpointId() {
        return nextCheckpointId;
    }

    /** The job is to stop. */
    void stop(StopKind kind, long requestId) {
        state = CoordinatorState.STOPPING;
        stop = kind;
        stopRequestId = requestId;
        if (kind.drains() && !ending.haveAllEnded()) {
            actions.add(new CoordinatorAction.EndSources());
        }
        triggerDue();
    }

    /** A checkpoint was stored that perhaps was the one to stop behind. */
    void stopBehind(long checkpointId) {
        if (state == CoordinatorState.STOPPING && checkpointId == lastId) {
            endStop();
        }
    }

    /** Triggers what is due now. */
    void triggerDue() {
        if (state == CoordinatorState.STOPPING) {
            triggerLast();
        } else if (ending.haveAllFinished()) {
            waiting.refuseAll(CheckpointFailureReason.ALL_FINISHED, actions);
        } else {
            boolean goOn = state == CoordinatorState.RUNNING;
            while (goOn) {
                goOn = triggerOneDue();
            }
        }
    }

    private void triggerLast() {
        if (lastId != NO_CHECKPOINT || (stop.drains() && !ending.haveAllEnded())) {
            return;
        }
        if (ending.haveAllFinished() && !stop.last().isSavepoint()) {
            if (pending.isEmpty()) {
                endStop();
            }
        } else if (pending.hasSlot()) {
            lastId = trigger(stop.last(), List.of());
        }
    }

    private boolean triggerOneDue() {
        RequestDecider.Decision decision = decider.decide(nowNs, latestCompletedId);
        switch (decision) {
            case NOTHING_DUE -> {
                return false;
            }
            case WAIT_FOR_SLOT -> {
                outcomes.noteIfFirst(CoordinatorOutcome.WAITS_FOR_SLOT);
                return false;
            }
            case WAIT_FOR_PAUSE -> {
                outcomes.noteIfFirst(CoordinatorOutcome.WAITS_FOR_PAUSE);
                return false;
            }
            case WAIT_FOR_DELETIONS -> {
                outcomes.noteIfFirst(CoordinatorOutcome.WAITS_FOR_DELETIONS);
                return false;
            }
            case SAVEPOINT -> {
                trigger(CheckpointKind.SAVEPOINT, waiting.takeSavepoint());
                return true;
            }
            default -> {
                // A checkpoint that is triggered anyway answers who waits for one.
                decider.onTriggered(decision, trigger(CheckpointKind.CHECKPOINT, waiting.takeCheckpoints()), nowNs);
                return true;
            }
        }
    }

    private long trigger(CheckpointKind kind, List<Long> requestIds) {
        outcomes.note(CoordinatorOutcome.TRIGGERED);
        long checkpointId = nextCheckpointId++;
        PendingCheckpoint checkpoint = new PendingCheckpoint(checkpointId, nowNs, kind, requestIds, topology, ending);
        pending.add(checkpoint);
        if (kind.isSavepoint()) {
            actions.add(new CoordinatorAction.PrepareSavepoint(checkpointId, requestIds, kind, nowNs));
        } else {
            checkpoint.triggerUnreachable(actions);
        }
        return checkpointId;
    }

    /** A checkpoint that the job can go on from is durable. */
    void complete(long checkpointId) {
        past.complete(checkpointId);
        latestCompletedId = checkpointId;
        tolerance.onCompleted(checkpointId);
        decider.onCompleted(nowNs);
        for (PendingCheckpoint older : pending.subsumedBy(checkpointId)) {
            abort(older, CheckpointFailureReason.SUBSUMED);
        }
        actions.add(new CoordinatorAction.Complete(checkpointId));
        past.dropExcess(actions);
    }

    /** A checkpoint comes to nothing. */
    void abort(PendingCheckpoint checkpoint, CheckpointFailureReason reason) {
        long checkpointId = checkpoint.checkpointId();
        pending.remove(checkpointId);
        if (checkpoint.kind().isOfJob()) {
            decider.onAborted(checkpointId, nowNs);
        }
        actions.add(new CoordinatorAction.AbortCheckpoint(checkpointId, reason, latestCompletedId));
        if (reason != CheckpointFailureReason.STORE_OUTCOME_UNKNOWN) {
            past.rememberAborted(checkpointId);
            actions.add(new CoordinatorAction.Discard(checkpointId));
        }
        checkpoint.requestIds().forEach(requestId -> WaitingRequests.refuse(requestId, reason, actions));
        boolean haveSourcesEnded = checkpointId == lastId && stop.drains() && !ENDS_OF_ALL.contains(reason);
        if (checkpointId == lastId) {
            failStop(reason);
        }
        if (haveSourcesEnded || (!checkpoint.kind().isSavepoint() && tolerance.onFailed(checkpointId, reason))) {
            failJob(checkpointId, reason);
        }
    }

    private void failJob(long checkpointId, CheckpointFailureReason reason) {
        actions.add(new CoordinatorAction.FailJob(checkpointId, reason));
        state = CoordinatorState.FAILED;
        abortPending(CheckpointFailureReason.JOB_FAILED);
        failStop(CheckpointFailureReason.JOB_FAILED);
        waiting.refuseAll(CheckpointFailureReason.JOB_FAILED, actions);
    }

    /** All pending checkpoints come to nothing, but for a store under way. */
    void abortPending(CheckpointFailureReason reason) {
        pending.notBeingStored().forEach(each -> abort(each, reason));
    }

    /** What the job was to stop behind came to nothing, if it was to stop. */
    void failStop(CheckpointFailureReason reason) {
        lastId = NO_CHECKPOINT;
        if (stop != null && state != CoordinatorState.STOPPED) {
            state = state == CoordinatorState.STOPPING ? CoordinatorState.RUNNING : state;
            actions.add(new CoordinatorAction.StopFailed(stopRequestId, reason));
        }
        stop = null;
    }

    private void endStop() {
        outcomes.note(CoordinatorOutcome.STOPPED);
        state = CoordinatorState.STOPPED;
        actions.add(new CoordinatorAction.Stop(latestCompletedId));
    }
}
