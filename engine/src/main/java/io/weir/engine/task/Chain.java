package io.weir.engine.task;

import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Target;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.Receiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The operators of one task, wired up, head first. Task thread only. */
final class Chain {
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
        this.entry = receiver(entry);
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
            } catch (final Exception e) {
                final TaskException failure = new TaskException(
                        "operator " + link.context.uid() + " could not be opened: " + TaskException.reason(e), e);
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

    /** Closes all operators, the last first, and gives back what the first one threw. */
    Throwable close() {
        return closeFrom(0);
    }

    private Throwable closeFrom(final int begin) {
        Throwable first = null;
        for (int i = links.size() - 1; i >= begin; i--) {
            try {
                links.get(i).operator.close();
            } catch (final RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    @SuppressWarnings("unchecked") // the planner has matched the types of outputs and inputs
    private Receiver<Object> receiver(final List<Target> targets) {
        final List<Receiver<Object>> receivers = new ArrayList<>();
        for (final Target target : targets) {
            receivers.add((Receiver<Object>) receiver(target));
        }
        return switch (receivers.size()) {
            case 0 -> new Discard();
            case 1 -> receivers.get(0);
            default -> new FanOut(receivers);
        };
    }

    private Receiver<?> receiver(final Target target) {
        if (target instanceof ToEdge toEdge) {
            return outputs.edge(toEdge.edge());
        }
        final ChainNode node = ((Chained) target).node();
        final TaskOperatorContext context = contexts.apply(node);
        final Operator<?> operator = node.operator().get();
        links.add(new Link(operator, context));
        final Map<String, List<Target>> byTag = new HashMap<>();
        final List<Target> main = new ArrayList<>();
        for (final Target output : node.outputs()) {
            if (output.tag() == null) {
                main.add(output);
            } else {
                byTag.computeIfAbsent(output.tag().name(), name -> new ArrayList<>())
                        .add(output);
            }
        }
        final Map<String, Receiver<Object>> sides = new HashMap<>();
        byTag.forEach((tag, sideTargets) -> sides.put(tag, receiver(sideTargets)));
        context.wire(receiver(main), sides);
        return operator;
    }

    private record Link(Operator<?> operator, TaskOperatorContext context) {}

    /** Takes what nobody wants. */
    static final class Discard implements Receiver<Object> {
        @Override
        public void receive(final Object value, final long timestampNs, final long sourceWatermarkNs) {}

        @Override
        public void watermark(final long watermarkNs) {}

        @Override
        public void idle() {}
    }

    private static final class FanOut implements Receiver<Object> {
        private final Receiver<Object>[] receivers;

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        FanOut(final List<Receiver<Object>> receivers) {
            this.receivers = receivers.toArray(new Receiver[0]);
        }

        @Override
        public void receive(final Object value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
            for (final Receiver<Object> receiver : receivers) {
                receiver.receive(value, timestampNs, sourceWatermarkNs);
            }
        }

        @Override
        public void watermark(final long watermarkNs) throws Exception {
            for (final Receiver<Object> receiver : receivers) {
                receiver.watermark(watermarkNs);
            }
        }

        @Override
        public void idle() {
            for (final Receiver<Object> receiver : receivers) {
                receiver.idle();
            }
        }
    }
}
