package io.weir.engine.coordinator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Drives the checkpoints of one job. Every event returns the actions it asks for, in order, never null; what became of
 * the event is named by {@link #outcome()} and counted. The surroundings call {@link #onTick} at {@link
 * #nextDeadlineNs()} or whenever it suits them.
 *
 * <p>A checkpoint is pending from its trigger until it is stored, or aborted by a decline, its timeout, a newer one that
 * completes, a failed store, a restart or shutdown. Stores go one at a time, lowest id first, so that ids complete in
 * rising order; while the last word on a store is out, nothing but its answer ends that checkpoint.
 *
 * <p>One thread, except for {@link #state()}, {@link #latestCompletedId()}, {@link #pendingCount()} and {@link
 * #count(CoordinatorOutcome)}. {@code nowNs} is always epoch nanoseconds of a clock that never steps back; a
 * checkpoint's trigger time is the {@code nowNs} of the event that triggered it.
 */
public final class CheckpointCoordinator {
    /** The options of a plain checkpoint. */
    public static final int OPTIONS_CHECKPOINT = 0;

    /** The least time between a final checkpoint that failed and the next one. */
    static final long FINAL_RETRY_NS = 10_000_000;

    private static final long NO_CHECKPOINT = CheckpointHistory.NO_CHECKPOINT;
    private static final Set<CheckpointFailureReason> TASK_REASONS = EnumSet.of(
            CheckpointFailureReason.SNAPSHOT_FAILED,
            CheckpointFailureReason.SUBSUMED,
            CheckpointFailureReason.CANCELLED_UPSTREAM,
            CheckpointFailureReason.TASK_NOT_READY);
    private static final Set<CheckpointFailureReason> STORE_REASONS =
            EnumSet.of(CheckpointFailureReason.STORE_FAILED, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN);

    private final CheckpointSettings settings;
    private final TaskTopology topology;
    private final PastCheckpoints past;
    private final PeriodicSchedule schedule;
    private final FailureTolerance tolerance;
    private final EndingTasks ending;
    private final TreeMap<Long, PendingCheckpoint> pending = new TreeMap<>();
    private final Map<CoordinatorOutcome, AtomicLong> counts = new EnumMap<>(CoordinatorOutcome.class);
    private List<CoordinatorAction> actions = new ArrayList<>();
    private CoordinatorOutcome outcome;
    private int attempt;
    private long nowNs;
    private long nextCheckpointId;
    private long storingId = NO_CHECKPOINT;
    private long finalId = NO_CHECKPOINT;
    private long lastId = NO_CHECKPOINT;
    private long finalNotBeforeNs = Long.MIN_VALUE;
    private boolean triggerRequested;
    private volatile CoordinatorState state = CoordinatorState.STARTING;
    private volatile long latestCompletedId;
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
        this.settings = settings;
        this.topology = topology;
        this.attempt = attempt;
        this.nextCheckpointId = history.nextCheckpointId();
        this.past = new PastCheckpoints(history.completedIds(), settings.retained());
        this.latestCompletedId = past.latestId();
        this.schedule = new PeriodicSchedule(settings);
        this.tolerance = new FailureTolerance(settings.tolerableFailures());
        this.ending = new EndingTasks(topology.taskCount());
        for (CoordinatorOutcome each : CoordinatorOutcome.values()) {
            counts.put(each, new AtomicLong());
        }
    }

    /**
     * All tasks run, or have finished already: the first interval begins.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onRunning(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (state != CoordinatorState.STARTING) {
            return done(CoordinatorOutcome.DUPLICATE_NOTICE);
        }
        state = CoordinatorState.RUNNING;
        schedule.start(nowNs);
        triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Time has passed: expires what ran into its timeout and triggers what is due.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTick(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        for (PendingCheckpoint each : List.copyOf(pending.values())) {
            if (deadlineNs(each) <= nowNs && pending.containsKey(each.checkpointId())) {
                note(CoordinatorOutcome.EXPIRED);
                abort(each, CheckpointFailureReason.EXPIRED);
            }
        }
        triggerDue();
        return done(CoordinatorOutcome.NOTHING_DUE);
    }

    /**
     * Somebody asks for a checkpoint now. Interval and pause don't matter; if no slot is free the request waits for one,
     * ahead of periodic ones. Requests that wait at the same time are answered by one checkpoint.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onTriggerRequested(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (state == CoordinatorState.STARTING) {
            return done(CoordinatorOutcome.REFUSED_NOT_RUNNING);
        }
        if (state != CoordinatorState.RUNNING || ending.haveAllFinished()) {
            return done(CoordinatorOutcome.REFUSED_ENDING);
        }
        triggerRequested = true;
        triggerDue();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Periodic checkpoints stop; manual, final and last ones go on.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onPeriodicStopped(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        schedule.stop();
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * Periodic checkpoints start again, one interval from now.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onPeriodicStarted(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        schedule.start(nowNs);
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
        storeNext();
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
        abort(checkpoint, reason);
        triggerDue();
        return done(CoordinatorOutcome.DECLINED);
    }

    /**
     * A task has finished for good. Its final state stands for its snapshot in all later checkpoints, and in the pending
     * ones that it hasn't acknowledged; so a task reports this only when its end of data is in every output's stream and
     * behind its acknowledgements (or declines) of all checkpoints whose barriers it sent. Where that leaves tasks that no
     * barrier of a pending checkpoint can reach, they are triggered. A trigger that reaches a finished task can be
     * ignored.
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
        note(CoordinatorOutcome.TASK_ENDING);
        for (PendingCheckpoint each : pending.values()) {
            if (!each.isAcknowledgedBy(task)) {
                each.finish(task);
                each.triggerUnreachable(actions);
                if (each.isFullyAcknowledged()) {
                    note(CoordinatorOutcome.LAST_ACKNOWLEDGED);
                }
            }
        }
        storeNext();
        triggerDue();
        return done(CoordinatorOutcome.TASK_ENDING);
    }

    /**
     * A task has seen the end of all its data and only waits for the completion of a checkpoint that it takes after that.
     * It still takes part in checkpoints. When every unfinished task waits so, one is triggered at once, whatever interval
     * and pause say; should it fail, again after the pause or {@value #FINAL_RETRY_NS} ns, whichever is longer.
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
        if (!ending.awaitFinal(task, nextCheckpointId)) {
            return done(CoordinatorOutcome.DUPLICATE_NOTICE);
        }
        note(CoordinatorOutcome.TASK_ENDING);
        triggerDue();
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
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (!isStoring() || checkpointId != storingId) {
            return done(CoordinatorOutcome.UNKNOWN_STORE);
        }
        note(CoordinatorOutcome.COMPLETED);
        storingId = NO_CHECKPOINT;
        pending.remove(checkpointId);
        past.complete(checkpointId);
        latestCompletedId = checkpointId;
        tolerance.onCompleted(checkpointId);
        schedule.onCheckpointEnded(nowNs);
        for (PendingCheckpoint older : List.copyOf(pending.headMap(checkpointId).values())) {
            abort(older, CheckpointFailureReason.SUBSUMED);
        }
        actions.add(new CoordinatorAction.Complete(checkpointId));
        past.dropExcess(actions);
        if (state == CoordinatorState.STOPPING && checkpointId == lastId) {
            stop();
        }
        storeNext();
        triggerDue();
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
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (!isStoring() || checkpointId != storingId) {
            return done(CoordinatorOutcome.UNKNOWN_STORE);
        }
        note(CoordinatorOutcome.STORE_FAILED);
        storingId = NO_CHECKPOINT;
        abort(pending.get(checkpointId), reason);
        storeNext();
        triggerDue();
        return done(CoordinatorOutcome.STORE_FAILED);
    }

    /**
     * The job is to stop behind a last checkpoint, which is triggered as soon as a slot is free; no other is from now on.
     * It ends in a {@link CoordinatorAction.Stop}, or a {@link CoordinatorAction.StopFailed} and the job goes on.
     *
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onStopRequested(long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        switch (state) {
            case STARTING -> {
                actions.add(new CoordinatorAction.StopFailed(CheckpointFailureReason.NOT_ALL_RUNNING));
                return done(CoordinatorOutcome.REFUSED_NOT_RUNNING);
            }
            case FAILED -> {
                actions.add(new CoordinatorAction.StopFailed(CheckpointFailureReason.JOB_FAILED));
                return done(CoordinatorOutcome.REFUSED_ENDING);
            }
            case STOPPING, STOPPED -> {
                return done(CoordinatorOutcome.DUPLICATE_NOTICE);
            }
            default -> {
                triggerRequested = false;
                state = CoordinatorState.STOPPING;
                triggerDue();
                return done(CoordinatorOutcome.ACCEPTED);
            }
        }
    }

    /**
     * The job failed and is started again in a new attempt: what is pending is aborted, tasks count as unfinished, and
     * the coordinator waits for {@link #onRunning}. Ids go on. A store under way must have been answered before, for the
     * checkpoint to restore can't be chosen while it is open whether a newer one exists.
     *
     * @param newAttempt of the execution, greater than the last.
     * @param nowNs epoch nanoseconds.
     * @return the actions.
     */
    public List<CoordinatorAction> onRestarted(int newAttempt, long nowNs) {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        if (newAttempt <= attempt) {
            throw new IllegalArgumentException("attempt=" + newAttempt + " must be > " + attempt);
        }
        if (isStoring()) {
            throw new IllegalStateException("checkpoint " + storingId + " is being stored, the restart must wait");
        }
        abortPending(CheckpointFailureReason.JOB_FAILED);
        failStop(CheckpointFailureReason.JOB_FAILED);
        attempt = newAttempt;
        ending.reset();
        triggerRequested = false;
        finalNotBeforeNs = Long.MIN_VALUE;
        schedule.stop();
        state = CoordinatorState.STARTING;
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * The end: what is pending is aborted, except for a store under way, whose outcome stays for the next start to find.
     *
     * @return the actions.
     */
    public List<CoordinatorAction> onShutdown() {
        if (isShutDown(nowNs)) {
            return done(CoordinatorOutcome.IGNORED_SHUT_DOWN);
        }
        abortPending(CheckpointFailureReason.SHUTDOWN);
        failStop(CheckpointFailureReason.SHUTDOWN);
        state = CoordinatorState.SHUT_DOWN;
        return done(CoordinatorOutcome.ACCEPTED);
    }

    /**
     * When {@link #onTick} has something to do unless another event comes first.
     *
     * @return epoch nanoseconds, which may have passed; {@link Long#MAX_VALUE} for never.
     */
    public long nextDeadlineNs() {
        if (state == CoordinatorState.SHUT_DOWN) {
            return Long.MAX_VALUE;
        }
        long deadlineNs = Long.MAX_VALUE;
        for (PendingCheckpoint each : pending.values()) {
            deadlineNs = Math.min(deadlineNs, deadlineNs(each));
        }
        if (state == CoordinatorState.RUNNING && hasSlot() && !ending.haveAllFinished()) {
            deadlineNs = Math.min(deadlineNs, schedule.nextNs(!pending.isEmpty()));
            if (isFinalWanted()) {
                deadlineNs = Math.min(deadlineNs, finalNotBeforeNs);
            }
        }
        return deadlineNs;
    }

    /**
     * Where the job's checkpoints stand. Any thread.
     *
     * @return the state after the last event.
     */
    public CoordinatorState state() {
        return state;
    }

    /**
     * The newest completed checkpoint. Any thread.
     *
     * @return its id, or {@link CheckpointHistory#NO_CHECKPOINT}.
     */
    public long latestCompletedId() {
        return latestCompletedId;
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
        return storingId != NO_CHECKPOINT;
    }

    /**
     * The id that the next checkpoint will have; every id so far is below. Coordinator thread only.
     *
     * @return the id.
     */
    public long nextCheckpointId() {
        return nextCheckpointId;
    }

    /**
     * What became of the last event; where it had consequences, the first. Coordinator thread only.
     *
     * @return the outcome, null before the first event.
     */
    public CoordinatorOutcome outcome() {
        return outcome;
    }

    /**
     * How often something came out so, consequences of other events included. Any thread.
     *
     * @param of the outcome asked for.
     * @return the count since the start.
     */
    public long count(CoordinatorOutcome of) {
        return counts.get(of).get();
    }

    private void triggerDue() {
        if (ending.haveAllFinished()) {
            if (state == CoordinatorState.STOPPING && pending.isEmpty()) {
                stop();
            }
        } else if (state == CoordinatorState.STOPPING) {
            if (lastId == NO_CHECKPOINT && hasSlot()) {
                lastId = trigger();
            }
        } else {
            boolean triggered = state == CoordinatorState.RUNNING;
            while (triggered) {
                triggered = triggerOneDue();
            }
        }
    }

    private boolean triggerOneDue() {
        boolean finalDue = finalNotBeforeNs <= nowNs && isFinalWanted();
        if (!finalDue && !triggerRequested && !schedule.isDue(nowNs)) {
            return false;
        }
        if (!hasSlot()) {
            noteIfFirst(CoordinatorOutcome.WAITS_FOR_SLOT);
            return false;
        }
        if (finalDue) {
            finalId = trigger();
        } else if (triggerRequested) {
            triggerRequested = false;
            trigger();
        } else if (schedule.isPausing(nowNs, !pending.isEmpty())) {
            noteIfFirst(CoordinatorOutcome.WAITS_FOR_PAUSE);
            return false;
        } else {
            schedule.onTriggered(nowNs);
            trigger();
        }
        return true;
    }

    private long trigger() {
        note(CoordinatorOutcome.TRIGGERED);
        long checkpointId = nextCheckpointId++;
        PendingCheckpoint checkpoint =
                new PendingCheckpoint(checkpointId, nowNs, OPTIONS_CHECKPOINT, topology, ending.finished());
        pending.put(checkpointId, checkpoint);
        checkpoint.triggerUnreachable(actions);
        return checkpointId;
    }

    private void storeNext() {
        if (isStoring()) {
            return;
        }
        for (PendingCheckpoint each : pending.values()) {
            if (each.isFullyAcknowledged()) {
                storingId = each.checkpointId();
                actions.add(new CoordinatorAction.Store(storingId));
                return;
            }
        }
    }

    private void abort(PendingCheckpoint checkpoint, CheckpointFailureReason reason) {
        long checkpointId = checkpoint.checkpointId();
        pending.remove(checkpointId);
        schedule.onCheckpointEnded(nowNs);
        actions.add(new CoordinatorAction.AbortCheckpoint(checkpointId, reason, latestCompletedId));
        if (reason != CheckpointFailureReason.STORE_OUTCOME_UNKNOWN) {
            past.rememberAborted(checkpointId);
            actions.add(new CoordinatorAction.Discard(checkpointId));
        }
        if (checkpointId == finalId) {
            finalNotBeforeNs = PeriodicSchedule.plus(nowNs, Math.max(settings.minPauseNs(), FINAL_RETRY_NS));
        }
        if (checkpointId == lastId) {
            failStop(reason);
        }
        if (tolerance.onFailed(checkpointId, reason)) {
            failJob(checkpointId, reason);
        }
    }

    private void failJob(long checkpointId, CheckpointFailureReason reason) {
        actions.add(new CoordinatorAction.FailJob(checkpointId, reason));
        abortPending(CheckpointFailureReason.JOB_FAILED);
        failStop(CheckpointFailureReason.JOB_FAILED);
        triggerRequested = false;
        state = CoordinatorState.FAILED;
    }

    private void abortPending(CheckpointFailureReason reason) {
        for (PendingCheckpoint each : List.copyOf(pending.values())) {
            if (each.checkpointId() != storingId) {
                abort(each, reason);
            }
        }
    }

    private void failStop(CheckpointFailureReason reason) {
        lastId = NO_CHECKPOINT;
        if (state == CoordinatorState.STOPPING) {
            state = CoordinatorState.RUNNING;
            actions.add(new CoordinatorAction.StopFailed(reason));
        }
    }

    private void stop() {
        note(CoordinatorOutcome.STOPPED);
        state = CoordinatorState.STOPPED;
        actions.add(new CoordinatorAction.Stop(latestCompletedId));
    }

    private boolean isFinalWanted() {
        long wanted = ending.finalCheckpointId(latestCompletedId);
        return wanted != NO_CHECKPOINT && (pending.isEmpty() || pending.lastKey() < wanted);
    }

    private boolean hasSlot() {
        return pending.size() < settings.maxConcurrent();
    }

    private long deadlineNs(PendingCheckpoint checkpoint) {
        return checkpoint.isFullyAcknowledged()
                ? Long.MAX_VALUE
                : PeriodicSchedule.plus(checkpoint.triggerTimeNs(), settings.timeoutNs());
    }

    private List<CoordinatorAction> notPending(
            CoordinatorOutcome refusal, int task, int sendersAttempt, long checkpointId) {
        if (past.isAborted(checkpointId)) {
            actions.add(new CoordinatorAction.DiscardLate(task, sendersAttempt, checkpointId));
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

    private CoordinatorOutcome refusal(int task, int sendersAttempt, long eventNs) {
        if (isShutDown(eventNs)) {
            return CoordinatorOutcome.IGNORED_SHUT_DOWN;
        }
        if (task < 0 || task >= topology.taskCount()) {
            return CoordinatorOutcome.UNKNOWN_TASK;
        }
        return sendersAttempt == attempt ? null : CoordinatorOutcome.OTHER_ATTEMPT;
    }

    private boolean isShutDown(long eventNs) {
        nowNs = eventNs;
        outcome = null;
        return state == CoordinatorState.SHUT_DOWN;
    }

    private void note(CoordinatorOutcome reached) {
        counts.get(reached).incrementAndGet();
        noteFirst(reached);
    }

    private void noteIfFirst(CoordinatorOutcome reached) {
        if (outcome == null) {
            note(reached);
        }
    }

    private void noteFirst(CoordinatorOutcome reached) {
        if (outcome == null) {
            outcome = reached;
        }
    }

    private List<CoordinatorAction> done(CoordinatorOutcome unlessNoted) {
        noteIfFirst(unlessNoted);
        pendingCount = pending.size();
        if (actions.isEmpty()) {
            return List.of();
        }
        List<CoordinatorAction> result = actions;
        actions = new ArrayList<>();
        return result;
    }

    private static void requireOneOf(Set<CheckpointFailureReason> allowed, CheckpointFailureReason reason) {
        if (!allowed.contains(reason)) {
            throw new IllegalArgumentException("reason=" + reason + " must be one of " + allowed);
        }
    }
}
