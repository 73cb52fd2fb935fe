package io.weir.engine.recovery;

import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.task.TaskChannel;
import io.weir.engine.task.TaskParts;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.state.StateBackend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Which part of a checkpoint goes into which task; checked against the job before any task is opened. The job's thread. */
final class RestorePlan {
    private final CheckpointStore store;
    private final PhysicalPlan plan;
    private final Manifest manifest;

    private final OperatorMatch match;
    private final RestoreOptions options;

    private RestorePlan(
            final CheckpointStore store,
            final PhysicalPlan plan,
            final Manifest manifest,
            final OperatorMatch match,
            final RestoreOptions options) {
        this.store = store;
        this.plan = plan;
        this.manifest = manifest;
        this.match = match;
        this.options = options;
    }

    /** As with {@link RestoreOptions#STRICT}. */
    static RestorePlan newest(final CheckpointStore store, final PhysicalPlan plan, final StateBackend backend) {
        return newest(store, plan, backend, RestoreOptions.STRICT);
    }

    /** Takes the newest completed checkpoint, if there is one, and checks that it fits the job. */
    static RestorePlan newest(
            final CheckpointStore store,
            final PhysicalPlan plan,
            final StateBackend backend,
            final RestoreOptions options) {
        final List<Long> completed = store.completed();
        if (completed.isEmpty()) {
            return new RestorePlan(store, plan, null, null, options);
        }
        final Manifest manifest = store.load(completed.get(completed.size() - 1));
        final OperatorMatch match = new OperatorMatch(manifest, plan);
        check(manifest, plan, match, options);
        checkBackend(manifest, backend.name());
        return new RestorePlan(store, plan, manifest, match, options);
    }

    /** The checkpoint, 0 if the job begins empty. */
    long checkpointId() {
        return manifest == null ? 0 : manifest.checkpointId();
    }

    /** Whether every task had read all its data when the checkpoint was taken, so that nothing is left to do. */
    boolean isFinished() {
        return manifest != null && match.isWhole() && manifest.tasks().stream().allMatch(TaskPart::finished);
    }

    void restore(final List<TaskParts> parts) {
        if (manifest == null) {
            return;
        }
        if (options.allowUnmatched()) {
            parts.forEach(TaskParts::leaveUnclaimed);
        }
        final List<TaskPart> inOrder = new ArrayList<>(manifest.tasks());
        inOrder.sort(Comparator.comparingInt(TaskPart::subtask));
        for (final TaskPart saved : inOrder) {
            try (SegmentReader segment = store.openSegment(saved.segment())) {
                if (!options.dropInFlight()) {
                    checkEdges(segment);
                    restoreChannels(saved, segment, parts);
                }
                restore(saved, segment, parts);
            }
        }
    }

    private void checkEdges(final SegmentReader segment) {
        for (final String edge : TaskChannel.edgeNames(segment)) {
            if (plan.edges().stream().noneMatch(each -> plan.edgeName(each).equals(edge))) {
                throw new RecoveryException(checkpoint(manifest) + " has records in flight on edge " + edge
                        + " that the job does not have; its edges are "
                        + plan.edges().stream().map(plan::edgeName).toList()
                        + "; restore it with the former pipeline, and take an aligned checkpoint before the change");
            }
        }
    }

    private void restoreChannels(final TaskPart saved, final SegmentReader segment, final List<TaskParts> parts) {
        for (final TaskParts part : parts) {
            part.restoreChannels(
                    segment, saved, match.formerParallelism(part.id().vertexUid()));
        }
    }

    private void restore(final TaskPart saved, final SegmentReader segment, final List<TaskParts> parts) {
        for (final TaskParts part : parts) {
            final String vertexUid = part.id().vertexUid();
            if (match.takes(vertexUid, saved)) {
                part.restore(segment, saved);
                if (match.takesWatermark(vertexUid, saved)) {
                    part.restoreWatermark(segment, saved);
                }
            }
        }
    }

    private static String checkpoint(final Manifest manifest) {
        return "checkpoint " + manifest.checkpointId() + " of job " + manifest.jobName();
    }

    private static void check(
            final Manifest manifest, final PhysicalPlan plan, final OperatorMatch match, final RestoreOptions options) {
        final String checkpoint = checkpoint(manifest);
        if (manifest.maxParallelism() != plan.maxParallelism()) {
            throw new RecoveryException(checkpoint + " has maxParallelism=" + manifest.maxParallelism()
                    + ", the job has " + plan.maxParallelism() + "; it is fixed for a job's life");
        }
        final Set<String> unmatched = match.unmatched();
        if (!unmatched.isEmpty() && !options.allowUnmatched()) {
            throw new RecoveryException(checkpoint + " has state of operators " + unmatched
                    + " that the job does not have; its operators are " + match.operators()
                    + "; Restore.allowUnmatchedState leaves that state behind");
        }
        final String fault = match.finishedFault();
        if (fault != null) {
            throw new RecoveryException(checkpoint + ": " + fault);
        }
    }

    /** State in a backend's own form can be read by that backend only; what is in the tasks' own segments by any. */
    private static void checkBackend(final Manifest manifest, final String backend) {
        final boolean isOwnForm =
                manifest.tasks().stream().anyMatch(part -> !part.shared().isEmpty());
        if (isOwnForm && !manifest.stateBackend().equals(backend)) {
            throw new RecoveryException("checkpoint " + manifest.checkpointId() + " of job " + manifest.jobName()
                    + " was taken with state backend " + manifest.stateBackend() + ", whose form state backend "
                    + backend + " can't read; run the job with state backend " + manifest.stateBackend()
                    + ", or restore a savepoint in canonical form");
        }
    }
}
