package io.weir.engine.graph;

import io.weir.engine.api.Pipeline;
import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.engine.graph.PhysicalPlan.SourceNode;
import io.weir.engine.graph.PhysicalPlan.Target;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a physical plan of a pipeline: gives ids, checks, chains what can run in one task, finds the codecs of the edges between
 * tasks. A step begins a vertex unless it is chained to its input; a keyBy, a union, a connect and a change of
 * parallelism never chain.
 */
public final class Planner {
    private final Pipeline pipeline;
    private final Map<Step, String> uids;
    private final StepCodecs codecs;
    private final Operators operators;
    private final Map<Step, List<Consumer>> consumers = new HashMap<>();
    private final Map<Step, Integer> vertexOf = new HashMap<>();
    private final List<Step> heads = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();

    private Planner(final Pipeline pipeline) {
        this.pipeline = pipeline;
        this.uids = Uids.assign(pipeline.steps());
        this.codecs = new StepCodecs(this::label);
        this.operators = new Operators(codecs);
    }

    /**
     * Makes a plan.
     *
     * @param pipeline to run.
     * @return the plan.
     * @throws PlanException if the pipeline makes none; it names the operator and what to do.
     */
    public static PhysicalPlan plan(final Pipeline pipeline) {
        return new Planner(pipeline).plan();
    }

    private PhysicalPlan plan() {
        new PipelineCheck(pipeline, this::label).run();
        for (final Step step : pipeline.steps()) {
            if (Chaining.chains(step, pipeline)) {
                vertexOf.put(step, vertexOf.get(step.inputs().get(0).from()));
            } else {
                vertexOf.put(step, heads.size());
                heads.add(step);
            }
        }
        for (final Step step : pipeline.steps()) {
            for (final Input input : step.inputs()) {
                connect(input, step);
            }
        }
        final List<Vertex> vertices = new ArrayList<>();
        for (final Step head : heads) {
            vertices.add(vertex(head));
        }
        return new PhysicalPlan(pipeline.name(), pipeline.maxParallelism(), vertices, edges);
    }

    private void connect(final Input input, final Step to) {
        final Edge edge = Chaining.chains(to, pipeline) ? null : edge(input, to);
        if (edge != null) {
            edges.add(edge);
        }
        consumers.computeIfAbsent(input.from(), step -> new ArrayList<>()).add(new Consumer(input, to, edge));
    }

    private Edge edge(final Input input, final Step to) {
        final Keying keying = input.isBroadcast() ? null : Operators.keying(to);
        final Partitioning partitioning;
        if (input.isBroadcast()) {
            partitioning = Partitioning.BROADCAST;
        } else if (keying != null) {
            partitioning = Partitioning.KEYED;
        } else if (parallelism(input.from()) == parallelism(to)) {
            partitioning = Partitioning.FORWARD;
        } else {
            partitioning = Partitioning.REBALANCE;
        }
        return new Edge(
                edges.size(),
                vertexOf.get(input.from()),
                vertexOf.get(to),
                partitioning,
                codecs.ofEdge(input, to),
                keying == null ? null : operators.keys(keying, to, label(to)),
                input.isBroadcast() ? 1 : 0);
    }

    private Vertex vertex(final Step head) {
        final SourceNode source = head.transform() instanceof Transform.Read read
                ? new SourceNode(uids.get(head), read.log(), read.codec(), read.onBadRecord())
                : null;
        final List<Target> entry = source == null ? List.of(new Chained(null, node(head))) : targets(head);
        return new Vertex(vertexOf.get(head), uids.get(head), chainName(head), parallelism(head), source, entry);
    }

    private ChainNode node(final Step step) {
        return new ChainNode(uids.get(step), step.name(), operators.of(step, label(step)), targets(step));
    }

    private List<Target> targets(final Step step) {
        final List<Target> targets = new ArrayList<>();
        for (final Consumer consumer : consumers.getOrDefault(step, List.of())) {
            if (consumer.edge == null) {
                targets.add(new Chained(consumer.input.tag(), node(consumer.step)));
            } else {
                targets.add(new ToEdge(consumer.input.tag(), consumer.edge.index()));
            }
        }
        return targets;
    }

    /** For people: the chain's operators, branches in brackets. */
    private String chainName(final Step step) {
        final List<String> next = new ArrayList<>();
        for (final Consumer consumer : consumers.getOrDefault(step, List.of())) {
            if (consumer.edge == null) {
                next.add(chainName(consumer.step));
            }
        }
        if (next.isEmpty()) {
            return step.name();
        }
        return step.name() + " -> " + (next.size() == 1 ? next.get(0) : "(" + String.join(", ", next) + ")");
    }

    private int parallelism(final Step step) {
        return Chaining.parallelism(step, pipeline);
    }

    private String label(final Step step) {
        return "operator '" + uids.get(step) + "' (" + step.transform().defaultName() + ")";
    }

    private record Consumer(Input input, Step step, Edge edge) {}
}
