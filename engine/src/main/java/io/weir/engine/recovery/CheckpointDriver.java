package io.weir.engine.recovery;

import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.CheckpointFailureReason;
import io.weir.engine.coordinator.CheckpointKind;
import io.weir.engine.coordinator.CoordinatorAction;
import io.weir.engine.coordinator.CoordinatorState;
import io.weir.engine.coordinator.StopKind;
import io.weir.engine.recovery.JobRequests.Taken;
import io.weir.engine.status.CheckpointStatistics;
import io.weir.engine.status.TaskCheckpoint;
import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.IoLane;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener.Decline;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Carries out what the checkpoint coordinator decides: triggers and notifies tasks, gathers their parts, publishes manifests and
 * deletes on I/O threads, and answers who asked. A finished task stands in no barrier's way, but its last state belongs to every
 * later checkpoint: it is asked for it directly, and a checkpoint is published once all parts are there. The job's thread.
 */
final class CheckpointDriver {
    private static final Logger LOGGER = System.getLogger(CheckpointDriver.class.getName());

    private final JobSpec spec;
    private final String jobName;
    private final CheckpointCoordinator coordinator;
    private final CheckpointStore store;
    private final CheckpointStatistics statistics;
    private final JobEvents events;
    private final JobRequests requests;
    private final IoLane publishing;
    private final IoLane deleting;
    private final TreeMap<Long, PendingParts> parts = new TreeMap<>();
    private final BitSet finished = new BitSet();
    private final ArrayDeque<CoordinatorAction> toDo = new ArrayDeque<>();
    private Set<String> sharedBefore = Set.of();
    private List<Task> tasks = List.of();
    private int attempt;
    private boolean ending;
    private JobEnd end;
    private String failure;
    private CoordinatorAction.AbortCheckpoint lastAbort;
    private String lastAbortReason;
    private boolean isCarryingOut;
    private int taskCount;
    private int deletedMeanwhile;
    private long stopRequestId;
    private StopKind stopKind;
    private Taken lastStored;
    private Taken stoppedBehind;

    CheckpointDriver(
            final JobSpec spec,
            final CheckpointCoordinator coordinator,
            final CheckpointStore store,
            final CheckpointStatistics statistics,
            final JobEvents events,
            final JobRequests requests,
            final Executor io) {
        this.spec = spec;
        jobName = spec.plan().jobName();
        this.coordinator = coordinator;
        this.store = store;
        this.statistics = statistics;
        this.events = events;
        this.requests = requests;
        publishing = new IoLane(io);
        deleting = new IoLane(io);
    }

    /** The tasks of an attempt run from now on. */
    void begin(final List<Task> tasksOfAttempt, final int newAttempt, final long nowNs) {
        tasks = tasksOfAttempt;
        taskCount = tasks.size();
        attempt = newAttempt;
        finished.clear();
        ending = false;
        if (end != null) {
            // A stop that the attempt before did not live to carry out: whoever asked for it has to hear of it.
            stopFailed("it failed before it had stopped"
                    + (end == JobEnd.STOP && stoppedBehind != null && stoppedBehind.savepoint() != null
                            ? ", behind savepoint " + stoppedBehind.savepoint()
                                    + ", which is complete; it goes on from there"
                            : ""));
        }
        failure = null;
        for (; deletedMeanwhile > 0; deletedMeanwhile--) {
            carryOut(coordinator.onDeleted(nowNs), nowNs);
        }
        carryOut(coordinator.onRunning(nowNs), nowNs);
    }

    /** The attempt is being closed: parts that are still missing will not come, so nothing waits for them. */
    void beginEnd(final long nowNs) {
        ending = true;
        for (final Map.Entry<Long, PendingParts> pending : List.copyOf(parts.entrySet())) {
            if (pending.getValue().waitsForParts()) {
                storeFailed(pending.getKey(), CheckpointFailureReason.STORE_FAILED, nowNs);
            }
        }
    }

    /** The attempt is over: nothing is told to its tasks any more. */
    void end() {
        tasks = List.of();
    }

    void tick(final long nowNs) {
        if (coordinator.nextDeadlineNs() <= nowNs) {
            carryOut(coordinator.onTick(nowNs), nowNs);
        }
    }

    long nextDeadlineNs() {
        return coordinator.nextDeadlineNs();
    }

    boolean isStoring() {
        return coordinator.isStoring();
    }

    /** Whether all tasks have finished, and nobody wants more of them. */
    boolean haveAllFinished() {
        return !tasks.isEmpty()
                && finished.cardinality() == tasks.size()
                && coordinator.state() != CoordinatorState.STOPPING
                && coordinator.state() != CoordinatorState.STOPPED;
    }

    /** What came of a stop request, null so far. */
    JobEnd stopAnswer() {
        return end;
    }

    /** The stop request was answered. */
    void forgetStopAnswer() {
        end = null;
    }

    /** Why checkpoints failed the job, null if they did not. */
    String failure() {
        return failure;
    }

    void acknowledged(final JobEvent.Acknowledged event, final long nowNs) {
        if (event.attempt() == attempt) {
            final PendingParts ofCheckpoint = parts.get(event.checkpointId());
            if (ofCheckpoint != null) {
                ofCheckpoint.byTask[event.task().index()] = event.part();
                ofCheckpoint.costs[event.task().index()] = cost(event.task(), event.metrics());
            }
        }
        carryOut(coordinator.onAcknowledge(event.task().index(), event.attempt(), event.checkpointId(), nowNs), nowNs);
        publishIfWhole(event.checkpointId());
    }

    void declined(final JobEvent.Declined event, final long nowNs) {
        final Decline decline = event.decline();
        final CheckpointFailureReason reason = switch (decline.reason()) {
            case SNAPSHOT_FAILED -> CheckpointFailureReason.SNAPSHOT_FAILED;
            case CHANNEL_STATE_LIMIT -> CheckpointFailureReason.CHANNEL_STATE_LIMIT;
            case SUBSUMED -> CheckpointFailureReason.SUBSUMED;
            case CANCELLED_UPSTREAM -> CheckpointFailureReason.CANCELLED_UPSTREAM;
        };
        final PendingParts ofCheckpoint = parts.get(event.checkpointId());
        if (ofCheckpoint != null && event.attempt() == attempt) {
            ofCheckpoint.declinedBy = event.task().display()
                    + (decline.cause() == null ? "" : ": " + TaskException.reason(decline.cause()));
        }
        if (decline.cause() != null) {
            LOGGER.log(
                    Level.WARNING,
                    "checkpoint declined: job=" + jobName + " id=" + event.checkpointId() + " task="
                            + event.task().display(),
                    decline.cause());
        }
        carryOut(
                coordinator.onDecline(event.task().index(), event.attempt(), event.checkpointId(), reason, nowNs),
                nowNs);
        final PendingParts still = parts.get(event.checkpointId());
        if (still != null && still.waitsForParts()) {
            storeFailed(event.checkpointId(), CheckpointFailureReason.STORE_FAILED, nowNs);
        }
    }

    void finished(final JobEvent.Finished event, final long nowNs) {
        if (event.attempt() != attempt) {
            return;
        }
        final int task = event.task().index();
        finished.set(task);
        parts.forEach((checkpointId, ofCheckpoint) -> {
            if (ofCheckpoint.hasAskedFinished) {
                askForLastState(task, checkpointId, ofCheckpoint);
            }
        });
        carryOut(coordinator.onTaskFinished(task, event.attempt(), nowNs), nowNs);
    }

    void awaitsFinal(final JobEvent.AwaitsFinal event, final long nowNs) {
        carryOut(coordinator.onTaskAwaitsFinalCheckpoint(event.task().index(), event.attempt(), nowNs), nowNs);
    }

    void stored(final long checkpointId, final long nowNs) {
        final PendingParts ofCheckpoint = parts.remove(checkpointId);
        if (ofCheckpoint.kind.isOfJob()) {
            statistics.completed(
                    checkpointId,
                    writtenBytes(ofCheckpoint),
                    nowNs - ofCheckpoint.triggerTimeNs,
                    List.of(ofCheckpoint.costs));
        }
        lastStored = new Taken(checkpointId, ofCheckpoint.savepoint);
        if (ofCheckpoint.kind.isLast()) {
            stoppedBehind = lastStored;
        }
        carryOut(coordinator.onStored(checkpointId, nowNs), nowNs);
    }

    private static TaskCheckpoint cost(final TaskId task, final CheckpointMetrics metrics) {
        final BarrierMetrics barriers = metrics.barriers();
        return new TaskCheckpoint(
                task.display(),
                barriers.startDelayNs(),
                barriers.alignmentTimeNs(),
                barriers.bytesProcessed(),
                barriers.bytesPersisted(),
                metrics.syncTimeNs(),
                barriers.channelStateTimeNs(),
                metrics.asyncTimeNs(),
                barriers.unaligned());
    }

    /** What was written for a checkpoint: not the shared segments that the one before rests on too. */
    private long writtenBytes(final PendingParts ofCheckpoint) {
        long bytes = 0;
        final Set<String> shared = new HashSet<>();
        for (final TaskPart part : ofCheckpoint.byTask) {
            bytes += part.segment().length();
            for (final SegmentHandle segment : part.shared()) {
                if (shared.add(segment.file()) && !sharedBefore.contains(segment.file())) {
                    bytes += segment.length();
                }
            }
        }
        sharedBefore = shared;
        return bytes;
    }

    void storeFailed(final JobEvent.StoreFailed event, final long nowNs) {
        final PendingParts ofCheckpoint = parts.get(event.checkpointId());
        if (ofCheckpoint != null) {
            ofCheckpoint.storeFailure = TaskException.reason(event.cause());
        }
        storeFailed(event.checkpointId(), event.reason(), nowNs);
    }

    private void storeFailed(final long checkpointId, final CheckpointFailureReason reason, final long nowNs) {
        carryOut(coordinator.onStoreFailed(checkpointId, reason, nowNs), nowNs);
    }

    void savepointPrepared(final JobEvent.SavepointPrepared event, final long nowNs) {
        final PendingParts ofSavepoint = parts.get(event.checkpointId());
        if (ofSavepoint != null) {
            ofSavepoint.savepoint = event.folder();
        }
        carryOut(coordinator.onSavepointPrepared(event.checkpointId(), nowNs), nowNs);
    }

    void savepointUnprepared(final JobEvent.SavepointUnprepared event, final long nowNs) {
        final PendingParts ofSavepoint = parts.get(event.checkpointId());
        if (ofSavepoint != null) {
            ofSavepoint.storeFailure = TaskException.reason(event.cause());
        }
        carryOut(coordinator.onSavepointUnprepared(event.checkpointId(), nowNs), nowNs);
    }

    void caughtUp(final JobEvent.CaughtUp event, final long nowNs) {
        carryOut(coordinator.onCaughtUp(event.task().index(), event.attempt(), nowNs), nowNs);
    }

    void deleted(final long nowNs) {
        if (tasks.isEmpty()) {
            // The coordinator might trigger what has waited for it, and there is nothing to be triggered.
            deletedMeanwhile++;
        } else {
            carryOut(coordinator.onDeleted(nowNs), nowNs);
        }
    }

    void triggerRequested(final long requestId, final long nowNs) {
        carryOut(coordinator.onTriggerRequested(requestId, nowNs), nowNs);
    }

    void savepointRequested(final long requestId, final long nowNs) {
        carryOut(coordinator.onSavepointRequested(requestId, nowNs), nowNs);
    }

    void stopRequested(final JobEvent.StopRequested event, final long nowNs) {
        if (coordinator.state() == CoordinatorState.RUNNING) {
            stopRequestId = event.requestId();
            stopKind = event.kind();
        }
        carryOut(coordinator.onStopRequested(event.kind(), event.requestId(), nowNs), nowNs);
    }

    void restarted(final int newAttempt, final long nowNs) {
        final BitSet all = new BitSet();
        all.set(0, taskCount);
        carryOut(coordinator.onRestarted(all, newAttempt, nowNs), nowNs);
    }

    void shutdown(final long nowNs) {
        carryOut(coordinator.onShutdown(), nowNs);
    }

    void cancelled(final long nowNs) {
        carryOut(coordinator.onCancelled(), nowNs);
    }

    /** Whether the stop that the job has come to had its sources end. */
    boolean hasDrained() {
        return stopKind.drains();
    }

    /** The job has stopped, and nothing of it runs any more. */
    void stopped() {
        requests.done(stopRequestId, stoppedBehind);
    }

    boolean isQuiet() {
        return publishing.isQuiet() && deleting.isQuiet();
    }

    /** Whether a request ends a job that is restarting. A stop that wants a savepoint can't have one: it is refused. */
    static boolean isEndOf(final JobEvent event) {
        return event instanceof JobEvent.CancelRequested
                || (event instanceof JobEvent.StopRequested stop && stop.requestId() == CheckpointCoordinator.NO_REPLY);
    }

    /** What is heard while no attempt runs: requests can't be met. */
    void onBetweenAttempts(final JobEvent event, final long nowNs) {
        if (event instanceof JobEvent.Deleted) {
            deleted(nowNs);
        } else {
            requests.refuseBetweenAttempts(event, jobName);
        }
    }

    /** In the order of the events: what an action brings with it is carried out behind the actions that came with that one. */
    private void carryOut(final List<CoordinatorAction> actions, final long nowNs) {
        toDo.addAll(actions);
        if (isCarryingOut) {
            return;
        }
        isCarryingOut = true;
        try {
            lastAbort = null;
            for (CoordinatorAction action; (action = toDo.poll()) != null; ) {
                carryOut(action, nowNs);
            }
        } finally {
            isCarryingOut = false;
        }
    }

    private void carryOut(final CoordinatorAction action, final long nowNs) {
        if (action instanceof CoordinatorAction.TriggerTask trigger) {
            trigger(trigger);
        } else if (action instanceof CoordinatorAction.Store toStore) {
            store(toStore.checkpointId(), nowNs);
        } else if (action instanceof CoordinatorAction.Complete complete) {
            tasks.forEach(task -> task.checkpointComplete(complete.checkpointId()));
        } else if (action instanceof CoordinatorAction.AbortCheckpoint abort) {
            abort(abort);
        } else if (action instanceof CoordinatorAction.Discard discard) {
            delete(discard.checkpointId());
        } else if (action instanceof CoordinatorAction.DiscardLate late) {
            delete(late.checkpointId());
        } else if (action instanceof CoordinatorAction.Drop drop) {
            delete(drop.checkpointId());
        } else if (action instanceof CoordinatorAction.FailJob failJob) {
            failure = "checkpoint " + failJob.checkpointId() + " failed and no more failures are tolerated: "
                    + lastAbortReason;
        } else if (action instanceof CoordinatorAction.PrepareSavepoint prepare) {
            prepare(prepare);
        } else if (action instanceof CoordinatorAction.EndSources) {
            tasks.forEach(Task::endSource);
        } else if (action instanceof CoordinatorAction.RequestDone done) {
            requests.done(done.requestId(), lastStored);
        } else if (action instanceof CoordinatorAction.RequestFailed failed) {
            requests.failed(failed.requestId(), nothingCame(words(failed.reason())));
        } else if (action instanceof CoordinatorAction.Stop) {
            end = JobEnd.STOP;
        } else if (action instanceof CoordinatorAction.StopFailed failed) {
            stopRequestId = failed.requestId();
            stopFailed(words(failed.reason()));
        } else {
            throw new IllegalStateException("unknown coordinator action " + action);
        }
    }

    private void stopFailed(final String reason) {
        end = JobEnd.STOP_FAILED;
        requests.stopFailed(stopRequestId, nothingCame(reason));
    }

    private String nothingCame(final String reason) {
        return "nothing came of what was asked of job " + jobName + ": " + reason;
    }

    /** The reason of what was asked for, with all that is known of the checkpoint if it was given up just now. */
    private String words(final CheckpointFailureReason reason) {
        return lastAbort != null && lastAbort.reason() == reason ? lastAbortReason : JobRequests.words(reason);
    }

    private void prepare(final CoordinatorAction.PrepareSavepoint savepoint) {
        final long checkpointId = savepoint.checkpointId();
        final JobRequests.Request request = requests.get(
                savepoint.kind().isLast()
                        ? stopRequestId
                        : savepoint.requestIds().get(0));
        parts.put(
                checkpointId,
                PendingParts.ofSavepoint(
                        tasks.size(),
                        savepoint.kind(),
                        savepoint.triggerTimeNs(),
                        spec.barriers().savepointOptions(),
                        request.format()));
        // On the lane of deletions: should it be given up meanwhile, its deletion comes behind it.
        deleting.execute(() -> {
            try {
                events.put(new JobEvent.SavepointPrepared(
                        checkpointId, store.beginSavepoint(checkpointId, request.directory())));
            } catch (final Throwable e) { // an Error too: the coordinator must get an answer
                events.put(new JobEvent.SavepointUnprepared(checkpointId, e));
            }
        });
    }

    private void trigger(final CoordinatorAction.TriggerTask trigger) {
        final long checkpointId = trigger.checkpointId();
        final PendingParts ofCheckpoint = parts.computeIfAbsent(
                checkpointId,
                id -> PendingParts.ofCheckpoint(
                        tasks.size(),
                        trigger.kind(),
                        trigger.triggerTimeNs(),
                        spec.barriers().checkpointOptions()));
        askForLastStates(checkpointId, ofCheckpoint);
        tasks.get(trigger.task()).trigger(checkpointId, trigger.triggerTimeNs(), ofCheckpoint.options);
    }

    private void askForLastStates(final long checkpointId, final PendingParts ofCheckpoint) {
        if (!ofCheckpoint.hasAskedFinished) {
            ofCheckpoint.hasAskedFinished = true;
            for (int task = finished.nextSetBit(0); task >= 0; task = finished.nextSetBit(task + 1)) {
                askForLastState(task, checkpointId, ofCheckpoint);
            }
        }
    }

    private void askForLastState(final int task, final long checkpointId, final PendingParts ofCheckpoint) {
        if (ofCheckpoint.byTask[task] == null) {
            tasks.get(task).trigger(checkpointId, ofCheckpoint.triggerTimeNs, ofCheckpoint.options);
        }
    }

    private void store(final long checkpointId, final long nowNs) {
        final PendingParts ofCheckpoint = parts.get(checkpointId);
        askForLastStates(checkpointId, ofCheckpoint);
        ofCheckpoint.storeWanted = true;
        if (ofCheckpoint.declinedBy != null || (ending && !ofCheckpoint.isWhole())) {
            storeFailed(checkpointId, CheckpointFailureReason.STORE_FAILED, nowNs);
        } else {
            publishIfWhole(checkpointId);
        }
    }

    private void publishIfWhole(final long checkpointId) {
        final PendingParts ofCheckpoint = parts.get(checkpointId);
        if (ofCheckpoint == null || !ofCheckpoint.storeWanted || ofCheckpoint.publishing || !ofCheckpoint.isWhole()) {
            return;
        }
        ofCheckpoint.publishing = true;
        final Manifest manifest = new Manifest(
                jobName,
                checkpointId,
                attempt,
                TimeUnit.NANOSECONDS.toMillis(ofCheckpoint.triggerTimeNs),
                spec.plan().maxParallelism(),
                spec.backend().name(),
                List.of(ofCheckpoint.byTask));
        publishing.execute(() -> publish(manifest, ofCheckpoint));
    }

    private void publish(final Manifest manifest, final PendingParts ofCheckpoint) {
        try {
            store.publish(manifest);
            if (ofCheckpoint.kind == CheckpointKind.LAST_SAVEPOINT) {
                // Sinks commit behind it, so whatever happens from now on the job goes on from there.
                store.adopt(ofCheckpoint.savepoint, false);
            }
            events.put(new JobEvent.Stored(manifest.checkpointId()));
        } catch (final Throwable e) { // an Error too: a store must be answered
            final boolean failed = e instanceof SnapshotException known && !known.isOutcomeUnknown();
            events.put(new JobEvent.StoreFailed(
                    manifest.checkpointId(),
                    failed ? CheckpointFailureReason.STORE_FAILED : CheckpointFailureReason.STORE_OUTCOME_UNKNOWN,
                    e));
        }
    }

    private void abort(final CoordinatorAction.AbortCheckpoint abort) {
        final PendingParts ofCheckpoint = parts.remove(abort.checkpointId());
        final String by = ofCheckpoint == null ? null : ofCheckpoint.declinedBy;
        final String storeFailure = ofCheckpoint == null ? null : ofCheckpoint.storeFailure;
        lastAbortReason =
                abort.reason() + (by == null ? "" : " by " + by) + (storeFailure == null ? "" : ": " + storeFailure);
        lastAbort = abort;
        statistics.aborted(lastAbortReason);
        LOGGER.log(
                Level.INFO,
                "checkpoint aborted: job={0} id={1} reason={2}",
                jobName,
                Long.toString(abort.checkpointId()),
                lastAbortReason);
        tasks.forEach(task -> task.checkpointAborted(abort.checkpointId()));
    }

    private void delete(final long checkpointId) {
        deleting.execute(() -> {
            try {
                store.delete(checkpointId);
            } catch (final RuntimeException e) {
                LOGGER.log(
                        Level.WARNING,
                        "checkpoint not deleted: job=" + jobName + " id=" + checkpointId + ", swept at the next start",
                        e);
            } finally {
                events.put(new JobEvent.Deleted());
            }
        });
    }

    /** How a stop request ended. */
    enum JobEnd {
        /** The last checkpoint has completed. */
        STOP,
        /** The last checkpoint came to nothing; the job goes on. */
        STOP_FAILED
    }
}
