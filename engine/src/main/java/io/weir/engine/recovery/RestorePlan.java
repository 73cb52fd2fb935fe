package io.weir.engine.recovery;

import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Target;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.task.TaskChannel;
import io.weir.engine.task.TaskParts;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.state.StateBackend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which part of a checkpoint goes into which task; checked against the job before any task is opened. The job's thread. */
final class RestorePlan {
    private final CheckpointStore store;
    private final PhysicalPlan plan;
    private final Manifest manifest;

    private RestorePlan(final CheckpointStore store, final PhysicalPlan plan, final Manifest manifest) {
        this.store = store;
        this.plan = plan;
        this.manifest = manifest;
    }

    /** Takes the newest completed checkpoint, if there is one, and checks that it fits the job. */
    static RestorePlan newest(final CheckpointStore store, final PhysicalPlan plan, final StateBackend backend) {
        final List<Long> completed = store.completed();
        if (completed.isEmpty()) {
            return new RestorePlan(store, plan, null);
        }
        final Manifest manifest = store.load(completed.get(completed.size() - 1));
        check(manifest, plan);
        checkBackend(manifest, backend.name());
        return new RestorePlan(store, plan, manifest);
    }

    /** The checkpoint, 0 if the job begins empty. */
    long checkpointId() {
        return manifest == null ? 0 : manifest.checkpointId();
    }

    /** Whether every task had read all its data when the checkpoint was taken, so that nothing is left to do. */
    boolean isFinished() {
        return manifest != null && manifest.tasks().stream().allMatch(TaskPart::finished);
    }

    void restore(final List<TaskParts> parts) {
        if (manifest == null) {
            return;
        }
        final List<TaskPart> inOrder = new ArrayList<>(manifest.tasks());
        inOrder.sort(Comparator.comparingInt(TaskPart::subtask));
        for (final TaskPart saved : inOrder) {
            try (SegmentReader segment = store.openSegment(saved.segment())) {
                checkEdges(segment);
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

    private void restore(final TaskPart saved, final SegmentReader segment, final List<TaskParts> parts) {
        for (final TaskParts part : parts) {
            part.restoreChannels(segment, saved, formerParallelism(part.id().vertexUid()));
            if (part.id().vertexUid().equals(saved.vertexUid())) {
                part.restoreLists(segment);
                part.restoreBroadcast(segment, saved);
                part.restore(segment, saved);
            }
        }
    }

    private int formerParallelism(final String vertexUid) {
        return manifest.tasks().stream()
                .filter(saved -> saved.vertexUid().equals(vertexUid))
                .mapToInt(TaskPart::parallelism)
                .findFirst()
                .orElse(0);
    }

    private static String checkpoint(final Manifest manifest) {
        return "checkpoint " + manifest.checkpointId() + " of job " + manifest.jobName();
    }

    private static void check(final Manifest manifest, final PhysicalPlan plan) {
        final String checkpoint = checkpoint(manifest);
        if (manifest.maxParallelism() != plan.maxParallelism()) {
            throw new RecoveryException(checkpoint + " has maxParallelism=" + manifest.maxParallelism()
                    + ", the job has " + plan.maxParallelism() + "; it is fixed for a job's life");
        }
        final Set<String> wanted = new TreeSet<>();
        for (final Vertex vertex : plan.vertices()) {
            final Set<String> ofVertex = uids(vertex);
            wanted.addAll(ofVertex);
            check(checkpoint, manifest, vertex, ofVertex);
        }
        final Set<String> unmatched = new TreeSet<>();
        manifest.tasks().forEach(part -> unmatched.addAll(part.operatorUids()));
        unmatched.removeAll(wanted);
        if (!unmatched.isEmpty()) {
            throw new RecoveryException(checkpoint + " has state of operators " + unmatched
                    + " that the job does not have; its operators are " + wanted);
        }
    }

    /** State in a backend's own form can be read by that backend only; what is in the tasks' own segments by any. */
    private static void checkBackend(final Manifest manifest, final String backend) {
        final boolean isOwnForm =
                manifest.tasks().stream().anyMatch(part -> !part.shared().isEmpty());
        if (isOwnForm && !manifest.stateBackend().equals(backend)) {
            throw new RecoveryException("checkpoint " + manifest.checkpointId() + " of job " + manifest.jobName()
                    + " was taken with state backend " + manifest.stateBackend() + ", whose form state backend "
                    + backend + " can't read; run the job with state backend " + manifest.stateBackend());
        }
    }

    private static void check(
            final String checkpoint, final Manifest manifest, final Vertex vertex, final Set<String> uids) {
        for (final TaskPart saved : manifest.tasks()) {
            if (!saved.vertexUid().equals(vertex.uid())
                    && saved.operatorUids().stream().anyMatch(uids::contains)) {
                throw new RecoveryException(checkpoint + " has the operators " + saved.operatorUids()
                        + " in one chain, the job has " + uids + "; run it with the former chains");
            }
        }
    }

    private static Set<String> uids(final Vertex vertex) {
        final Set<String> uids = new HashSet<>();
        if (vertex.source() != null) {
            uids.add(vertex.source().uid());
        }
        final List<Target> open = new ArrayList<>(vertex.entry());
        while (!open.isEmpty()) {
            if (open.remove(open.size() - 1) instanceof Chained chained) {
                uids.add(chained.node().uid());
                open.addAll(chained.node().outputs());
            }
        }
        return uids;
    }
}
