package io.weir.engine.task;

import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Target;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.Outputs;
import io.weir.engine.operator.Receiver;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The operators of one task, wired up, head first. Task thread only. */
final class Chain {
    private static final Logger LOGGER = System.getLogger(Chain.class.getName());

    private final List<Link> links = new ArrayList<>();
    private final Receiver<Object> entry;
    private final TaskOutputs outputs;
    private final Function<ChainNode, TaskOperatorContext> contexts;

    Chain(
            final List<Target> entry,
            final TaskOutputs outputs,
            final Function<ChainNode, TaskOperatorContext> contexts) {
        this.outputs = outputs;
        this.contexts = contexts;
        this.entry = outputs(entry).main();
    }

    Receiver<Object> entry() {
        return entry;
    }

    List<String> uids() {
        return links.stream().map(link -> link.context.uid()).toList();
    }

    /** Opens the operators, the last of the chain first, so that each can emit at once. All of them or none. */
    void open() throws Exception {
        for (int i = links.size() - 1; i >= 0; i--) {
            final Link link = links.get(i);
            try {
                link.operator.open(link.context);
            } catch (final Throwable e) { // an Error too: what was opened before has to be closed
                final TaskException failure = new TaskException(
                        "operator " + link.context.uid() + " (" + (link.context.subtask() + 1) + "/"
                                + link.context.parallelism() + ") could not be opened: " + TaskException.reason(e),
                        e);
                final Throwable another = closeFrom(i);
                if (another != null) {
                    failure.addSuppressed(another);
                }
                throw failure;
            }
        }
    }

    boolean resume() throws Exception {
        for (final Link link : links) {
            if (!link.operator.resume()) {
                return false;
            }
        }
        return true;
    }

    void processingTime(final long nowNs) throws Exception {
        for (int i = 0, size = links.size(); i < size; i++) {
            links.get(i).operator.processingTime(nowNs);
        }
    }

    void batchEnd(final long nowNs) throws Exception {
        for (int i = 0, size = links.size(); i < size; i++) {
            links.get(i).operator.batchEnd(nowNs);
        }
    }

    void beforeBarrier(final long checkpointId) throws Exception {
        for (final Link link : links) {
            link.operator.beforeBarrier(checkpointId);
        }
    }

    void snapshot(final TaskSnapshot snapshot) throws Exception {
        for (final Link link : links) {
            link.operator.snapshot(snapshot.of(link.context.uid()));
        }
    }

    void checkpointComplete(final long checkpointId) throws Exception {
        for (final Link link : links) {
            link.operator.checkpointComplete(checkpointId);
        }
    }

    void checkpointAborted(final long checkpointId) {
        for (final Link link : links) {
            link.operator.checkpointAborted(checkpointId);
        }
    }

    boolean awaitsFinalCheckpoint() {
        for (final Link link : links) {
            if (link.operator.awaitsFinalCheckpoint()) {
                return true;
            }
        }
        return false;
    }

    /** Closes all operators, the last first, and gives back what the first one threw; it is told in the log too. */
    Throwable close() {
        final Throwable failure = closeFrom(0);
        if (failure != null) {
            LOGGER.log(Level.WARNING, "operators not closed: uids=" + uids(), failure);
        }
        return failure;
    }

    private Throwable closeFrom(final int begin) {
        Throwable first = null;
        for (int i = links.size() - 1; i >= begin; i--) {
            try {
                links.get(i).operator.close();
            } catch (final Throwable e) { // the others must be closed whatever it is
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    private Outputs outputs(final List<Target> targets) {
        final Outputs wired = new Outputs();
        for (final Target target : targets) {
            wired.add(target.tag(), receiver(target));
        }
        return wired;
    }

    private Receiver<?> receiver(final Target target) {
        if (target instanceof ToEdge toEdge) {
            return outputs.edge(toEdge.edge());
        }
        final ChainNode node = ((Chained) target).node();
        final TaskOperatorContext context = contexts.apply(node);
        final Operator<?> operator = node.operator().get();
        links.add(new Link(operator, context));
        context.wire(outputs(node.outputs()));
        return operator;
    }

    private record Link(Operator<?> operator, TaskOperatorContext context) {}
}
