package io.weir.engine.coordinator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Drives the checkpoints of one job. Every event returns the actions it asks for, in order, never null; what became of
 * the event is named by {@link #outcome()} and counted. The surroundings call {@link #onTick} at {@link
 * #nextDeadlineNs()} or whenever it suits them.
 *
 * <p>A checkpoint is pending from its trigger until it is stored, or aborted by a decline, its timeout, a newer one that
 * completes, a failed store, a restart or shutdown. Stores go one at a time, lowest id first, so that ids complete in
 * rising order; while the last word on a store is out, nothing but its answer ends that checkpoint.
 *
 * <p>A savepoint is the user's: it neither subsumes nor is subsumed, tasks hear nothing of its completion, its failure does not
 * count, and the job does not go on from it; but for the one behind which the job stops, which is a checkpoint as well.
 *
 * <p>One thread, except for {@link #state()}, {@link #latestCompletedId()}, {@link #pendingCount()} and {@link
 * #count(CoordinatorOutcome)}. {@code nowNs} is always epoch nanoseconds of a clock that never steps back; a
 * checkpoint's trigger time is the {@code nowNs} of the event that triggered it.
 */
public final class CheckpointCoordinator {
    /** The id of a request that nobody waits for the answer of. */
    public static final long NO_REPLY = 0;

    private static final Set<CheckpointFailureReason> TASK_REASONS = EnumSet.of(
            CheckpointFailureReason.SNAPSHOT_FAILED,
            CheckpointFailureReason.CHANNEL_STATE_LIMIT,
            CheckpointFailureReason.SUBSUMED,
            CheckpointFailureReason.CANCELLED_UPSTREAM,
            CheckpointFailureReason.TASK_NOT_READY);
    private static final Set<CheckpointFailureReason> STORE_REASONS =
            EnumSet.of(CheckpointFailureReason.STORE_FAILED, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN);

    private final TaskTopology topology;
    private final PastCheckpoints past;
    private final PendingCheckpoints pending;
    private final EndingTasks ending;
    private final WaitingRequests waiting = new WaitingRequests();
    private final RequestDecider decider;
    private final OutcomeCounts outcomes = new OutcomeCounts();
    private final boolean isRetainedAtCancel;
    private final int[] attempts;
    private final BitSet backlog;
    private final CheckpointLives lives;
    private volatile int pendingCount;

    /**
     * Waits for {@link #onRunning}.
     *
     * @param settings that hold from now on.
     * @param topology of the job's tasks.
     * @param history of earlier runs.
     * @param attempt of the execution that is being started; messages of others are told apart.
     */
    public CheckpointCoordinator(
            CheckpointSettings settings, TaskTopology topology, CheckpointHistory history, int attempt) {
        this.topology = topology;
        this.attempts = new int[topology.taskCount()];
        Arrays.fill(attempts, attempt);
        this.past = new PastCheckpoints(history.completedIds(), settings.retained());
        this.pending = new PendingCheckpoints(settings);
        this.ending = new EndingTasks(topology.taskCount());
        this.decider = new RequestDecider(settings, pending, ending, waiting);
        this.lives = new CheckpointLives(
                topology, past, pending, ending, waiting, decider, settings, outcomes, history.nextCheckpointId());
        this.isRetainedAtCancel = settings.retainedAtCancel();
        this.backlog = topology.sources();
        decider.backlog(true);
    }

    /**
     * All tasks run, or have finished already: the first interval begins.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onRunning(long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (lives.state() != CoordinatorState.STARTING) {
            return done(CoordinatorOutcome.DUPLICATE_NOTICE);
        }
        lives.state(CoordinatorState.RUNNING);
        decider.startPeriodic(nowNs);
        lives.triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Time has passed: expires what ran into its timeout and triggers what is due.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTick(long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        for (PendingCheckpoint each : pending.expired(nowNs)) {
            if (pending.get(each.checkpointId()) != null) {
                outcomes.note(CoordinatorOutcome.EXPIRED);
                lives.abort(each, CheckpointFailureReason.EXPIRED);
            }
        }
        lives.triggerDue();
        return done(CoordinatorOutcome.NOTHING_DUE);
    }

    /**
     * Somebody asks for a checkpoint now. Interval and pause don't matter; if no slot is free the request waits for one,
     * ahead of periodic ones. Requests that wait at the same time are answered by one checkpoint.
     *
     * @param requestId for the answer, or {@link #NO_REPLY}.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTriggerRequested(long requestId, long nowNs) {
        CheckpointFailureReason refusal = refusalOfRequest(nowNs);
        if (refusal != null) {
            return refused(requestId, refusal);
        }
        waiting.addCheckpoint(requestId, lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Somebody asks for a savepoint now. Each request gets its own, at once if the settings let it, else when a slot is free, ahead
     * of everything else.
     *
     * @param requestId for the answer.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onSavepointRequested(long requestId, long nowNs) {
        CheckpointFailureReason refusal = refusalOfRequest(nowNs);
        if (refusal != null) {
            return refused(requestId, refusal);
        }
        waiting.addSavepoint(requestId, lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * The place of a savepoint is there: its tasks are triggered.
     *
     * @param checkpointId of the savepoint.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onSavepointPrepared(long checkpointId, long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        PendingCheckpoint savepoint = pending.get(checkpointId);
        if (savepoint == null || savepoint.isPrepared()) {
            return done(CoordinatorOutcome.UNKNOWN_CHECKPOINT);
        }
        savepoint.prepare();
        savepoint.triggerUnreachable(lives.actions());
        pending.storeNext(lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.TRIGGERED);
    }

    /**
     * The place of a savepoint can't be made.
     *
     * @param checkpointId of the savepoint.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onSavepointUnprepared(long checkpointId, long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        PendingCheckpoint savepoint = pending.get(checkpointId);
        if (savepoint == null || savepoint.isPrepared()) {
            return done(CoordinatorOutcome.UNKNOWN_CHECKPOINT);
        }
        outcomes.note(CoordinatorOutcome.STORE_FAILED);
        lives.abort(savepoint, CheckpointFailureReason.PLACE_FAILED);
        lives.triggerDue();
        return done(CoordinatorOutcome.STORE_FAILED);
    }

    /**
     * A source has read its log to the end that it has now, for the first time in its attempt.
     *
     * @param task that has caught up.
     * @param attempt in which it runs.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onCaughtUp(int task, int attempt, long nowNs) {
        CoordinatorOutcome refusal = refusal(task, attempt, nowNs);
        if (refusal != null) {
            return done(refusal);
        }
        caughtUp(task);
        lives.triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * What a Discard, DiscardLate or Drop asked for is done, or was given up.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onDeleted(long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        decider.deletionEnded();
        lives.triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Periodic checkpoints stop; manual, final and last ones go on.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onPeriodicStopped(long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        decider.stopPeriodic();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Periodic checkpoints start again, one interval from now.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onPeriodicStarted(long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        decider.startPeriodic(nowNs);
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * A task's snapshot is durable.
     *
     * @param task that acknowledges.
     * @param attempt in which it runs.
     * @param checkpointId that the snapshot is part of.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onAcknowledge(int task, int attempt, long checkpointId, long nowNs) {
        CoordinatorOutcome refusal = refusal(task, attempt, nowNs);
        PendingCheckpoint checkpoint = pending.get(checkpointId);
        if (refusal == CoordinatorOutcome.OTHER_ATTEMPT || (refusal == null && checkpoint == null)) {
            return notPending(refusal, task, attempt, checkpointId);
        }
        if (refusal != null) {
            return done(refusal);
        }
        if (checkpoint.isAcknowledgedBy(task)) {
            return done(CoordinatorOutcome.DUPLICATE_ACKNOWLEDGE);
        }
        checkpoint.acknowledge(task);
        pending.storeNext(lives.actions());
        return done(
                checkpoint.isFullyAcknowledged()
                        ? CoordinatorOutcome.LAST_ACKNOWLEDGED
                        : CoordinatorOutcome.ACKNOWLEDGED);
    }

    /**
     * A task gave a checkpoint up, or could not take it.
     *
     * @param task that declines.
     * @param attempt in which it runs.
     * @param checkpointId that is declined.
     * @param reason SNAPSHOT_FAILED, SUBSUMED, CANCELLED_UPSTREAM or TASK_NOT_READY.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onDecline(
            int task, int attempt, long checkpointId, CheckpointFailureReason reason, long nowNs) {
        requireOneOf(TASK_REASONS, reason);
        CoordinatorOutcome refusal = refusal(task, attempt, nowNs);
        if (refusal != null) {
            return done(refusal);
        }
        PendingCheckpoint checkpoint = pending.get(checkpointId);
        if (checkpoint == null || checkpoint.isAcknowledgedBy(task)) {
            return done(CoordinatorOutcome.LATE_DECLINE);
        }
        lives.abort(checkpoint, reason);
        lives.triggerDue();
        return done(CoordinatorOutcome.DECLINED);
    }

    /**
     * A task has finished for good. Its final state stands for its snapshot in all later checkpoints, and in the pending
     * ones that it hasn't acknowledged. So a task reports this only when its end of data is in every output's stream, and
     * behind its acknowledgement or decline of each checkpoint of which it met a barrier or sent one. Where that leaves
     * tasks that no barrier of a pending checkpoint can reach, they are triggered. A trigger that reaches a finished task
     * is ignored there.
     *
     * @param task that finished.
     * @param attempt in which it ran.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTaskFinished(int task, int attempt, long nowNs) {
        CoordinatorOutcome refusal = refusal(task, attempt, nowNs);
        if (refusal != null) {
            return done(refusal);
        }
        if (!ending.finish(task)) {
            return done(CoordinatorOutcome.DUPLICATE_NOTICE);
        }
        outcomes.note(CoordinatorOutcome.TASK_ENDING);
        caughtUp(task);
        for (PendingCheckpoint each : pending.all()) {
            if (!each.isAcknowledgedBy(task)) {
                each.finish(task);
                each.triggerUnreachable(lives.actions());
                if (each.isFullyAcknowledged()) {
                    outcomes.note(CoordinatorOutcome.LAST_ACKNOWLEDGED);
                }
            }
        }
        pending.storeNext(lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.TASK_ENDING);
    }

    /**
     * A task has seen the end of all its data and only waits for the completion of a checkpoint that it takes after that.
     * It still takes part in checkpoints; but its own end of data is in every output's stream, so that no barrier of it
     * follows and the tasks behind it are triggered. When every unfinished task waits so, a checkpoint is triggered at
     * once, whatever interval and pause say; should it fail, again after the pause or 10 ms, whichever is longer. The task
     * reports its end itself, by {@link #onTaskFinished}, at the completion that it waited for.
     *
     * @param task that waits.
     * @param attempt in which it runs.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTaskAwaitsFinalCheckpoint(int task, int attempt, long nowNs) {
        CoordinatorOutcome refusal = refusal(task, attempt, nowNs);
        if (refusal != null) {
            return done(refusal);
        }
        if (!ending.awaitFinal(task, lives.nextCheckpointId())) {
            return done(CoordinatorOutcome.DUPLICATE_NOTICE);
        }
        outcomes.note(CoordinatorOutcome.TASK_ENDING);
        for (PendingCheckpoint each : pending.all()) {
            if (!each.isAcknowledgedBy(task)) {
                each.endData(task);
                each.triggerUnreachable(lives.actions());
            }
        }
        lives.triggerDue();
        return done(CoordinatorOutcome.TASK_ENDING);
    }

    /**
     * The checkpoint of the store under way is durable: it completes.
     *
     * @param checkpointId that was stored.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onStored(long checkpointId, long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (!pending.isStoring(checkpointId)) {
            return done(CoordinatorOutcome.UNKNOWN_STORE);
        }
        outcomes.note(CoordinatorOutcome.COMPLETED);
        PendingCheckpoint stored = pending.get(checkpointId);
        pending.endStore();
        pending.remove(checkpointId);
        if (stored.kind().isOfJob()) {
            lives.complete(checkpointId);
        }
        stored.requestIds().stream()
                .filter(requestId -> requestId != NO_REPLY)
                .forEach(requestId -> lives.actions().add(new CoordinatorAction.RequestDone(requestId, checkpointId)));
        lives.stopBehind(checkpointId);
        pending.storeNext(lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.COMPLETED);
    }

    /**
     * The store under way failed. Where its outcome is unknown nothing is deleted.
     *
     * @param checkpointId that was to be stored.
     * @param reason STORE_FAILED or STORE_OUTCOME_UNKNOWN.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onStoreFailed(long checkpointId, CheckpointFailureReason reason, long nowNs) {
        requireOneOf(STORE_REASONS, reason);
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (!pending.isStoring(checkpointId)) {
            return done(CoordinatorOutcome.UNKNOWN_STORE);
        }
        outcomes.note(CoordinatorOutcome.STORE_FAILED);
        pending.endStore();
        lives.abort(pending.get(checkpointId), reason);
        pending.storeNext(lives.actions());
        lives.triggerDue();
        return done(CoordinatorOutcome.STORE_FAILED);
    }

    /**
     * The job is to stop behind a last checkpoint or savepoint, which is triggered as soon as a slot is free and, where it is to
     * drain, all tasks have seen the end of their data; no other is from now on. It ends in a {@link CoordinatorAction.Stop}, or a
     * {@link CoordinatorAction.StopFailed} and the job goes on; a drained one fails, to go on from its newest checkpoint.
     *
     * @param kind of the stop.
     * @param requestId for the answer of a second stop, which is refused, or {@link #NO_REPLY}.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onStopRequested(StopKind kind, long requestId, long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        switch (lives.state()) {
            case STARTING -> {
                lives.actions()
                        .add(new CoordinatorAction.StopFailed(requestId, CheckpointFailureReason.NOT_ALL_RUNNING));
                return done(CoordinatorOutcome.REFUSED_NOT_RUNNING);
            }
            case FAILED -> {
                lives.actions().add(new CoordinatorAction.StopFailed(requestId, CheckpointFailureReason.JOB_FAILED));
                return done(CoordinatorOutcome.REFUSED_ENDING);
            }
            case STOPPING, STOPPED -> {
                WaitingRequests.refuse(requestId, CheckpointFailureReason.STOPPING, lives.actions());
                return done(CoordinatorOutcome.DUPLICATE_NOTICE);
            }
            default -> {
                waiting.refuseAll(CheckpointFailureReason.STOPPING, lives.actions());
                lives.stop(kind, requestId);
                return done(CoordinatorOutcome.ACCEPTED);
            }
        }
    }

    /**
     * Tasks failed and are started again in a new attempt, all of the job's or those of some of its regions: what is pending is
     * aborted, these tasks count as unfinished, and the coordinator waits for {@link #onRunning}. Ids go on. A store under way must
     * have been answered before, for the checkpoint to restore can't be chosen while it is open whether a newer one exists.
     *
     * @param restarted tasks.
     * @param newAttempt of their execution, greater than their last.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onRestarted(BitSet restarted, int newAttempt, long nowNs) {
        if (!begin(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        restarted.stream().forEach(task -> {
            if (newAttempt <= attempts[task]) {
                throw new IllegalArgumentException(
                        "attempt=" + newAttempt + " of task " + task + " must be > " + attempts[task]);
            }
        });
        if (isStoring()) {
            throw new IllegalStateException("a restart must wait until the store under way is answered");
        }
        lives.abortPending(CheckpointFailureReason.JOB_FAILED);
        lives.failStop(CheckpointFailureReason.JOB_FAILED);
        waiting.refuseAll(CheckpointFailureReason.JOB_FAILED, lives.actions());
        restarted.stream().forEach(task -> attempts[task] = newAttempt);
        ending.reset(restarted);
        BitSet sources = topology.sources();
        sources.and(restarted);
        backlog.or(sources);
        decider.backlog(!backlog.isEmpty());
        decider.reset();
        lives.state(CoordinatorState.STARTING);
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * The job is cancelled: as {@link #onShutdown}, but its completed checkpoints are dropped where the settings say so.
     *
     * @return the actions.
     */
    public List<CoordinatorAction> onCancelled() {
        if (!begin(lives.nowNs())) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        shutDown();
        if (!isRetainedAtCancel) {
            past.dropAll(lives.actions());
        }
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * The end: what is pending is aborted, except for a store under way, whose outcome stays for the next start to find.
     *
     * @return the actions.
     */
    public List<CoordinatorAction> onShutdown() {
        if (!begin(lives.nowNs())) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        shutDown();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    private void shutDown() {
        lives.abortPending(CheckpointFailureReason.SHUTDOWN);
        lives.failStop(CheckpointFailureReason.SHUTDOWN);
        waiting.refuseAll(CheckpointFailureReason.SHUTDOWN, lives.actions());
        lives.state(CoordinatorState.SHUT_DOWN);
    }

    /**
     * When {@link #onTick} has something to do unless another event comes first.
     *
     * @return epoch nanoseconds, which may have passed; {@link Long#MAX_VALUE} for never.
     */
    public long nextDeadlineNs() {
        if (lives.state() == CoordinatorState.SHUT_DOWN) {
            return Long.MAX_VALUE;
        }
        boolean triggers = lives.state() == CoordinatorState.RUNNING && !ending.haveAllFinished();
        long triggerNs = triggers ? decider.nextNs(lives.latestCompletedId()) : Long.MAX_VALUE;
        return Math.min(pending.nextDeadlineNs(), triggerNs);
    }

    /**
     * Where the job's checkpoints stand. Any thread.
     *
     * @return the state after the last event.
     */
    public CoordinatorState state() {
        return lives.state();
    }

    /**
     * The newest completed checkpoint. Any thread.
     *
     * @return its id, or {@link CheckpointHistory#NO_CHECKPOINT}.
     */
    public long latestCompletedId() {
        return lives.latestCompletedId();
    }

    /**
     * How many checkpoints are between trigger and end. Any thread.
     *
     * @return the number.
     */
    public int pendingCount() {
        return pendingCount;
    }

    /**
     * How many tasks have acknowledged a pending checkpoint or finished instead. Coordinator thread only.
     *
     * @param checkpointId of a pending checkpoint.
     * @return the number of tasks, or -1 if it isn't pending.
     */
    public int acknowledgedCount(long checkpointId) {
        PendingCheckpoint checkpoint = pending.get(checkpointId);
        return checkpoint == null ? -1 : checkpoint.acknowledgedCount();
    }

    /**
     * Tells whether a store is under way. Coordinator thread only.
     *
     * @return whether {@link #onStored} or {@link #onStoreFailed} is awaited.
     */
    public boolean isStoring() {
        return pending.isStoring();
    }

    /**
     * The id that the next checkpoint will have; every id so far is below. Coordinator thread only.
     *
     * @return the id.
     */
    public long nextCheckpointId() {
        return lives.nextCheckpointId();
    }

    /**
     * What became of the last event; where it had consequences, the first. Coordinator thread only.
     *
     * @return the outcome, null before the first event.
     */
    public CoordinatorOutcome outcome() {
        return outcomes.first();
    }

    /**
     * How often something came out so, consequences of other events included. Any thread.
     *
     * @param of the outcome asked for.
     * @return the count since the start.
     */
    public long count(CoordinatorOutcome of) {
        return outcomes.count(of);
    }

    private void caughtUp(int task) {
        backlog.clear(task);
        decider.backlog(!backlog.isEmpty());
    }

    private List<CoordinatorAction> notPending(
            CoordinatorOutcome refusal, int task, int sendersAttempt, long checkpointId) {
        if (past.isAborted(checkpointId)) {
            lives.actions().add(new CoordinatorAction.DiscardLate(task, sendersAttempt, checkpointId));
            return done(refusal != null ? refusal : CoordinatorOutcome.LATE_ACKNOWLEDGE);
        }
        if (refusal != null) {
            return done(refusal);
        }
        return done(
                past.isCompleted(checkpointId)
                        ? CoordinatorOutcome.DUPLICATE_ACKNOWLEDGE
                        : CoordinatorOutcome.UNKNOWN_CHECKPOINT);
    }

    /** Why no request can be taken now; null if one can. */
    private CheckpointFailureReason refusalOfRequest(long eventNs) {
        if (!begin(eventNs)) {
            return CheckpointFailureReason.SHUTDOWN;
        }
        return switch (lives.state()) {
            case STARTING -> CheckpointFailureReason.NOT_ALL_RUNNING;
            case FAILED -> CheckpointFailureReason.JOB_FAILED;
            case STOPPING, STOPPED -> CheckpointFailureReason.STOPPING;
            default -> ending.haveAllFinished() ? CheckpointFailureReason.ALL_FINISHED : null;
        };
    }

    private List<CoordinatorAction> refused(long requestId, CheckpointFailureReason reason) {
        WaitingRequests.refuse(requestId, reason, lives.actions());
        return done(
                switch (reason) {
                    case SHUTDOWN -> CoordinatorOutcome.IGNORED_SHUT_DOWN;
                    case NOT_ALL_RUNNING -> CoordinatorOutcome.REFUSED_NOT_RUNNING;
                    default -> CoordinatorOutcome.REFUSED_ENDING;
                });
    }

    private CoordinatorOutcome refusal(int task, int sendersAttempt, long eventNs) {
        if (!begin(eventNs)) {
            return CoordinatorOutcome.IGNORED_SHUT_DOWN;
        }
        if (task < 0 || task >= topology.taskCount()) {
            return CoordinatorOutcome.UNKNOWN_TASK;
        }
        return sendersAttempt == attempts[task] ? null : CoordinatorOutcome.OTHER_ATTEMPT;
    }

    /** Takes note of a new event, and tells whether it is still to be heard. */
    private boolean begin(long eventNs) {
        lives.now(eventNs);
        outcomes.begin();
        return lives.state() != CoordinatorState.SHUT_DOWN;
    }

    private List<CoordinatorAction> done(CoordinatorOutcome unlessNoted) {
        outcomes.noteIfFirst(unlessNoted);
        pendingCount = pending.size();
        return lives.takeActions();
    }

    private static void requireOneOf(Set<CheckpointFailureReason> allowed, CheckpointFailureReason reason) {
        if (!allowed.contains(reason)) {
            throw new IllegalArgumentException("reason=" + reason + " must be one of " + allowed);
        }
    }
}
