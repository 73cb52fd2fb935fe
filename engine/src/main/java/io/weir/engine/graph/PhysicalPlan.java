package io.weir.engine.graph;

import io.weir.engine.api.Codec;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.OutputTag;
import io.weir.engine.operator.KeyExtractor;
import io.weir.engine.operator.Operator;
import io.weir.storage.log.ReplayableLog;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the engine runs: vertices (chains of operators, each run by as many tasks as its parallelism) and the edges between
 * them.
 *
 * @param jobName of the job.
 * @param maxParallelism number of key groups.
 * @param vertices in topological order.
 * @param edges between them.
 */
public record PhysicalPlan(String jobName, int maxParallelism, List<Vertex> vertices, List<Edge> edges) {
    /** Copies the lists. */
    public PhysicalPlan {
        vertices = List.copyOf(vertices);
        edges = List.copyOf(edges);
    }

    /**
     * Draws the plan for people: vertices with their chains, and where the edges lead.
     *
     * @return several lines.
     */
    public String explain() {
        return new PlanPrinter(this).print();
    }

    /**
     * The name of an edge, which is the same in every run of the job as long as the operators at its ends are.
     *
     * @param edge of this plan.
     * @return both ends, the input, and which edge it is if there are several.
     */
    public String edgeName(final Edge edge) {
        long before = 0;
        for (final Edge other : edges) {
            final boolean isAlike =
                    other.from() == edge.from() && other.to() == edge.to() && other.input() == edge.input();
            if (isAlike && other.index() < edge.index()) {
                before++;
            }
        }
        return vertices.get(edge.from()).uid() + "->" + vertices.get(edge.to()).uid() + "#" + edge.input()
                + (before == 0 ? "" : "." + before);
    }

    /**
     * One chain.
     *
     * @param index in {@link PhysicalPlan#vertices()}.
     * @param uid of its first operator or source.
     * @param name for people.
     * @param parallelism number of tasks.
     * @param source that the chain begins with, or null.
     * @param entry where records of the source, or of the input edges, go.
     */
    public record Vertex(int index, String uid, String name, int parallelism, SourceNode source, List<Target> entry) {
        /** Copies the list. */
        public Vertex {
            entry = List.copyOf(entry);
        }

        /**
         * The operators of the chain, its source among them.
         *
         * @return their uids, upstream ones first.
         */
        public Set<String> uids() {
            final Set<String> uids = new LinkedHashSet<>();
            if (source != null) {
                uids.add(source.uid());
            }
            final ArrayDeque<Target> open = new ArrayDeque<>(entry);
            while (!open.isEmpty()) {
                if (open.remove() instanceof Chained chained) {
                    uids.add(chained.node().uid());
                    open.addAll(chained.node().outputs());
                }
            }
            return uids;
        }
    }

    /**
     * A source.
     *
     * @param uid that its positions are kept under.
     * @param log to read.
     * @param codec of its records.
     * @param onBadRecord what to do with bytes that the codec refuses.
     */
    public record SourceNode(String uid, ReplayableLog log, Codec<?> codec, OnBadRecord onBadRecord) {}

    /**
     * An operator in a chain.
     *
     * @param uid that its state is kept under.
     * @param name for people.
     * @param operator makes an instance for a task.
     * @param outputs where its records go.
     */
    public record ChainNode(String uid, String name, Supplier<? extends Operator<?>> operator, List<Target> outputs) {
        /** Copies the list. */
        public ChainNode {
            outputs = List.copyOf(outputs);
        }
    }

    /** Where records go next. */
    public sealed interface Target permits Chained, ToEdge {
        /**
         * The side output that goes there.
         *
         * @return null for the main output.
         */
        OutputTag<?> tag();
    }

    /**
     * To the next operator of the same task.
     *
     * @param tag of the side output, null for the main output.
     * @param node the operator.
     */
    public record Chained(OutputTag<?> tag, ChainNode node) implements Target {}

    /**
     * To another vertex's tasks.
     *
     * @param tag of the side output, null for the main output.
     * @param edge index in {@link PhysicalPlan#edges()}.
     */
    public record ToEdge(OutputTag<?> tag, int edge) implements Target {}

    /**
     * A connection between two vertices: a channel from each upstream task to each downstream task, or, with {@link
     * Partitioning#FORWARD}, from each upstream task to the downstream task of the same subtask index.
     *
     * @param index in {@link PhysicalPlan#edges()}.
     * @param from upstream vertex.
     * @param to downstream vertex.
     * @param partitioning how records are spread.
     * @param codec of the records.
     * @param keys makes a task's key extractor, null unless KEYED.
     * @param input of the downstream operator that the records go to: 0, or 1 for the second input of a {@link
     *     io.weir.engine.operator.TwoInputOperator}.
     */
    public record Edge(
            int index,
            int from,
            int to,
            Partitioning partitioning,
            Codec<?> codec,
            Supplier<? extends KeyExtractor<?>> keys,
            int input) {}

    /** How an edge spreads records over its channels. */
    public enum Partitioning {
        /** To the task with the same subtask index. */
        FORWARD,
        /** By key group. */
        KEYED,
        /** In turn. */
        REBALANCE,
        /** To all. */
        BROADCAST
    }
}
