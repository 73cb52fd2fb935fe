package io.weir.engine.recovery;

import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.coordinator.CheckpointCoordinator;
import io.weir.engine.coordinator.CheckpointFailureReason;
import io.weir.engine.coordinator.CoordinatorAction;
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
 * deletes on I/O threads. A finished task stands in no barrier's way, but its last state belongs to every later checkpoint: it
 * is asked for it directly, and a checkpoint is published once all parts are there. The job's thread.
 */
final class CheckpointDriver {
    private static final Logger LOGGER = System.getLogger(CheckpointDriver.class.getName());

    private final JobSpec spec;
    private final String jobName;
    private final CheckpointCoordinator coordinator;
    private final CheckpointStore store;
    private final CheckpointStatistics statistics;
    private final JobEvents events;
    private final IoLane publishing;
    private final IoLane deleting;
    private final TreeMap<Long, Parts> parts = new TreeMap<>();
    private final BitSet finished = new BitSet();
    private Set<String> sharedBefore = Set.of();
    private List<Task> tasks = List.of();
    private int attempt;
    private boolean ending;
    private JobEnd end;
    private String failure;
    private String lastAbortReason;

    CheckpointDriver(
            final JobSpec spec,
            final CheckpointCoordinator coordinator,
            final CheckpointStore store,
            final CheckpointStatistics statistics,
            final JobEvents events,
            final Executor io) {
        this.spec = spec;
        jobName = spec.plan().jobName();
        this.coordinator = coordinator;
        this.store = store;
        this.statistics = statistics;
        this.events = events;
        publishing = new IoLane(io);
        deleting = new IoLane(io);
    }

    /** The tasks of an attempt run from now on. */
    void begin(final List<Task> tasksOfAttempt, final int newAttempt, final long nowNs) {
        tasks = tasksOfAttempt;
        attempt = newAttempt;
        finished.clear();
        ending = false;
        // A stop that the attempt before did not live to carry out: whoever asked for it has to hear of it.
        end = end == null ? null : JobEnd.STOP_FAILED;
        failure = null;
        carryOut(coordinator.onRunning(nowNs), nowNs);
    }

    /** The attempt is being closed: parts that are still missing will not come, so nothing waits for them. */
    void beginEnd(final long nowNs) {
        ending = true;
        for (final Map.Entry<Long, Parts> pending : List.copyOf(parts.entrySet())) {
            if (pending.getValue().storeWanted && !pending.getValue().publishing) {
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

    /** Whether all tasks have finished. */
    boolean haveAllFinished() {
        return !tasks.isEmpty() && finished.cardinality() == tasks.size();
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
            final Parts ofCheckpoint = parts.get(event.checkpointId());
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
        final Parts ofCheckpoint = parts.get(event.checkpointId());
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
        final Parts still = parts.get(event.checkpointId());
        if (still != null && still.storeWanted && !still.publishing) {
            storeFailed(event.checkpointId(), CheckpointFailureReason.STORE_FAILED, nowNs);
        }
    }

    void finished(final JobEvent.Finished event, final long nowNs) {
        if (event.attempt() != attempt) {
            return;
        }
        final int task = event.task().index();
        finished.set(task);
        parts.forEach((checkpointId, ofCheckpoint) -> askForLastState(task, checkpointId, ofCheckpoint));
        carryOut(coordinator.onTaskFinished(task, event.attempt(), nowNs), nowNs);
    }

    void awaitsFinal(final JobEvent.AwaitsFinal event, final long nowNs) {
        carryOut(coordinator.onTaskAwaitsFinalCheckpoint(event.task().index(), event.attempt(), nowNs), nowNs);
    }

    void stored(final long checkpointId, final long nowNs) {
        final Parts ofCheckpoint = parts.remove(checkpointId);
        statistics.completed(
                checkpointId,
                writtenBytes(ofCheckpoint),
                nowNs - ofCheckpoint.triggerTimeNs,
                List.of(ofCheckpoint.costs));
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
    private long writtenBytes(final Parts ofCheckpoint) {
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
        final Parts ofCheckpoint = parts.get(event.checkpointId());
        if (ofCheckpoint != null) {
            ofCheckpoint.storeFailure = TaskException.reason(event.cause());
        }
        storeFailed(event.checkpointId(), event.reason(), nowNs);
    }

    private void storeFailed(final long checkpointId, final CheckpointFailureReason reason, final long nowNs) {
        carryOut(coordinator.onStoreFailed(checkpointId, reason, nowNs), nowNs);
    }

    void triggerRequested(final long nowNs) {
        carryOut(coordinator.onTriggerRequested(nowNs), nowNs);
    }

    void stopRequested(final long nowNs) {
        carryOut(coordinator.onStopRequested(nowNs), nowNs);
    }

    void restarted(final int newAttempt, final long nowNs) {
        carryOut(coordinator.onRestarted(newAttempt, nowNs), nowNs);
    }

    void shutdown(final long nowNs) {
        carryOut(coordinator.onShutdown(), nowNs);
    }

    boolean isQuiet() {
        return publishing.isQuiet() && deleting.isQuiet();
    }

    private void carryOut(final List<CoordinatorAction> actions, final long nowNs) {
        for (final CoordinatorAction action : actions) {
            carryOut(action, nowNs);
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
        } else if (action instanceof CoordinatorAction.Stop) {
            end = JobEnd.STOP;
        } else if (action instanceof CoordinatorAction.StopFailed) {
            end = JobEnd.STOP_FAILED;
        } else {
            throw new IllegalStateException("unknown coordinator action " + action);
        }
    }

    private void trigger(final CoordinatorAction.TriggerTask trigger) {
        final long checkpointId = trigger.checkpointId();
        if (!parts.containsKey(checkpointId)) {
            final Parts ofCheckpoint = new Parts(tasks.size(), trigger.triggerTimeNs());
            parts.put(checkpointId, ofCheckpoint);
            for (int task = finished.nextSetBit(0); task >= 0; task = finished.nextSetBit(task + 1)) {
                askForLastState(task, checkpointId, ofCheckpoint);
            }
        }
        tasks.get(trigger.task())
                .trigger(checkpointId, trigger.triggerTimeNs(), spec.barriers().checkpointOptions());
    }

    private void askForLastState(final int task, final long checkpointId, final Parts ofCheckpoint) {
        if (ofCheckpoint.byTask[task] == null) {
            tasks.get(task)
                    .trigger(
                            checkpointId,
                            ofCheckpoint.triggerTimeNs,
                            spec.barriers().checkpointOptions());
        }
    }

    private void store(final long checkpointId, final long nowNs) {
        final Parts ofCheckpoint = parts.get(checkpointId);
        ofCheckpoint.storeWanted = true;
        if (ofCheckpoint.declinedBy != null || (ending && !ofCheckpoint.isWhole())) {
            storeFailed(checkpointId, CheckpointFailureReason.STORE_FAILED, nowNs);
        } else {
            publishIfWhole(checkpointId);
        }
    }

    private void publishIfWhole(final long checkpointId) {
        final Parts ofCheckpoint = parts.get(checkpointId);
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
        publishing.execute(() -> publish(manifest));
    }

    private void publish(final Manifest manifest) {
        try {
            store.publish(manifest);
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
        final Parts ofCheckpoint = parts.remove(abort.checkpointId());
        final String by = ofCheckpoint == null ? null : ofCheckpoint.declinedBy;
        final String storeFailure = ofCheckpoint == null ? null : ofCheckpoint.storeFailure;
        lastAbortReason =
                abort.reason() + (by == null ? "" : " by " + by) + (storeFailure == null ? "" : ": " + storeFailure);
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

    /** What the tasks have handed in for one pending checkpoint. */
    private static final class Parts {
        private final TaskPart[] byTask;
        private final TaskCheckpoint[] costs;
        private final long triggerTimeNs;
        private String declinedBy;
        private String storeFailure;
        private boolean storeWanted;
        private boolean publishing;

        Parts(final int tasks, final long triggerTimeNs) {
            byTask = new TaskPart[tasks];
            costs = new TaskCheckpoint[tasks];
            this.triggerTimeNs = triggerTimeNs;
        }

        boolean isWhole() {
            for (final TaskPart part : byTask) {
                if (part == null) {
                    return false;
                }
            }
            return true;
        }
    }
}
