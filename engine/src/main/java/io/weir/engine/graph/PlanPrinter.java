package io.weir.engine.graph;

import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Target;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import java.util.List;
import java.util.Locale;

/** Draws a plan as indented text: vertices, their chains, and where the edges lead. */
final class PlanPrinter {
    private final PhysicalPlan plan;
    private final StringBuilder text = new StringBuilder();

    PlanPrinter(final PhysicalPlan plan) {
        this.plan = plan;
    }

    String print() {
        int tasks = 0;
        for (final Vertex vertex : plan.vertices()) {
            tasks += vertex.parallelism();
        }
        text.append(plan.jobName())
                .append(": vertices=")
                .append(plan.vertices().size())
                .append(", edges=")
                .append(plan.edges().size())
                .append(", tasks=")
                .append(tasks)
                .append(", maxParallelism=")
                .append(plan.maxParallelism())
                .append('\n');
        for (final Vertex vertex : plan.vertices()) {
            vertex(vertex);
        }
        return text.toString();
    }

    private void vertex(final Vertex vertex) {
        text.append('[').append(vertex.index()).append("] ").append(vertex.name());
        text.append("  parallelism=").append(vertex.parallelism()).append('\n');
        if (vertex.source() == null) {
            targets(vertex.entry(), 1);
        } else {
            indent(1).append("source ").append(vertex.source().uid());
            text.append(" log=").append(vertex.source().log().name());
            text.append(" codec=").append(vertex.source().codec().signature()).append('\n');
            targets(vertex.entry(), 2);
        }
    }

    private void targets(final List<Target> targets, final int depth) {
        for (final Target target : targets) {
            indent(depth);
            if (target.tag() != null) {
                text.append("side output ").append(target.tag().name()).append(": ");
            }
            if (target instanceof Chained chained) {
                final ChainNode node = chained.node();
                text.append(node.uid()).append('\n');
                targets(node.outputs(), depth + 1);
            } else {
                final Edge edge = plan.edges().get(((ToEdge) target).edge());
                text.append("=> [").append(edge.to()).append("] ");
                text.append(edge.partitioning().name().toLowerCase(Locale.ROOT));
                text.append(" codec=").append(edge.codec().signature()).append('\n');
            }
        }
    }

    private StringBuilder indent(final int depth) {
        return text.append("    ".repeat(depth));
    }
}
