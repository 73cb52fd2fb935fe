package io.weir.engine.recovery;

import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which former tasks have state of which vertex: state follows an operator by its uid, whatever chain it was in and is in now.
 * Pure.
 */
final class OperatorMatch {
    private final Manifest manifest;
    private final PhysicalPlan plan;
    private final Map<String, Vertex> vertices = new HashMap<>();

    /** The vertex that an operator was in, by its uid. */
    private final Map<String, String> formers = new HashMap<>();

    /** The former tasks of a vertex. */
    private final Map<String, List<TaskPart>> tasks = new HashMap<>();

    OperatorMatch(final Manifest manifest, final PhysicalPlan plan) {
        this.manifest = manifest;
        this.plan = plan;
        plan.vertices().forEach(vertex -> vertices.put(vertex.uid(), vertex));
        for (final TaskPart saved : manifest.tasks()) {
            saved.operatorUids().forEach(uid -> formers.put(uid, saved.vertexUid()));
            tasks.computeIfAbsent(saved.vertexUid(), uid -> new ArrayList<>()).add(saved);
        }
    }

    /** The operators of the checkpoint that the job does not have. */
    Set<String> unmatched() {
        final Set<String> unmatched = new TreeSet<>(formers.keySet());
        unmatched.removeAll(operators());
        return unmatched;
    }

    /** The operators of the job. */
    Set<String> operators() {
        final Set<String> uids = new TreeSet<>();
        plan.vertices().forEach(vertex -> uids.addAll(vertex.uids()));
        return uids;
    }

    /** Whether every operator of the job is in the checkpoint. */
    boolean isWhole() {
        return formers.keySet().containsAll(operators());
    }

    /** Whether a former task has state of operators of a vertex. */
    boolean takes(final String vertexUid, final TaskPart saved) {
        return saved.operatorUids().stream().anyMatch(vertices.get(vertexUid).uids()::contains);
    }

    /** Whether a vertex goes on from a former task's watermark: that of its first operator which is not new. */
    boolean takesWatermark(final String vertexUid, final TaskPart saved) {
        for (final String uid : vertices.get(vertexUid).uids()) {
            final String former = formers.get(uid);
            if (former != null) {
                return former.equals(saved.vertexUid());
            }
        }
        return false;
    }

    /**
     * Why the finished tasks of the checkpoint do not fit the job, null if they do. A task is restored as finished or not at all:
     * it does not run, so none of its operators may be one that has something left to do; nor may anybody send to it who did not
     * before: who did has ended its data, though it may still wait for its own last checkpoint.
     */
    String finishedFault() {
        for (final Vertex vertex : plan.vertices()) {
            final Set<Boolean> states = new LinkedHashSet<>();
            final Set<String> from = new TreeSet<>();
            boolean hasNew = false;
            for (final String uid : vertex.uids()) {
                final String former = formers.get(uid);
                hasNew |= former == null;
                if (former != null && from.add(former)) {
                    tasks.get(former).forEach(task -> states.add(task.finished()));
                }
            }
            final boolean isRegrouped = from.size() > 1 || hasNew;
            if (isRegrouped && states.contains(true) && (states.contains(false) || hasNew)) {
                return "the operators " + vertex.uids() + " are one chain now, but of the tasks that they were in, "
                        + from
                        + ", some had finished and others had not" + (hasNew ? ", or are new" : "")
                        + "; keep the former chains until all have finished";
            }
        }
        for (final Edge edge : plan.edges()) {
            final Vertex from = plan.vertices().get(edge.from());
            final Vertex to = plan.vertices().get(edge.to());
            if (hasFinished(to) && !hasFinished(from) && !(isAsBefore(from) && isAsBefore(to))) {
                return to.name() + " had finished, but " + from.name()
                        + ", which sends to it, has something left to do";
            }
        }
        return null;
    }

    /** Whether a vertex has the operators of one former vertex, all of them and no others. */
    private boolean isAsBefore(final Vertex vertex) {
        final List<TaskPart> former = tasks.get(vertex.uid());
        return former != null && Set.copyOf(former.get(0).operatorUids()).equals(Set.copyOf(vertex.uids()));
    }

    private boolean hasFinished(final Vertex vertex) {
        for (final String uid : vertex.uids()) {
            final String former = formers.get(uid);
            if (former == null || !tasks.get(former).stream().allMatch(TaskPart::finished)) {
                return false;
            }
        }
        return true;
    }

    /** The parallelism that a vertex had, 0 if it was not there. */
    int formerParallelism(final String vertexUid) {
        return manifest.tasks().stream()
                .filter(saved -> saved.vertexUid().equals(vertexUid))
                .mapToInt(TaskPart::parallelism)
                .findFirst()
                .orElse(0);
    }
}
