package io.weir.engine.task;

import io.weir.engine.barrier.BarrierPlacement;
import io.weir.engine.barrier.EdgeOrder;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.transport.OutputChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All outputs of one task: an edge output per outgoing edge, and what concerns all of them. Task thread only. */
final class TaskOutputs {
    private final Backpressure backpressure = new Backpressure();
    private final SentBarriers sentBarriers = new SentBarriers();
    private final List<EdgeOrder> orders = new ArrayList<>();
    private final Map<Integer, EdgeOutput<?>> byEdge = new HashMap<>();
    private final List<Outbox> opened = new ArrayList<>();
    private Outbox[] outboxes = {};

    EdgeOutput<?> open(
            final Edge edge,
            final EdgeOrder order,
            final int maxParallelism,
            final String name,
            final OutputChannel[] channels) {
        final Outbox[] ofEdge = new Outbox[channels.length];
        for (int i = 0; i < channels.length; i++) {
            ofEdge[i] = new Outbox(name + "->" + i, opened.size(), channels[i], backpressure, sentBarriers);
            opened.add(ofEdge[i]);
            orders.add(order);
        }
        outboxes = opened.toArray(Outbox[]::new);
        final EdgeOutput<?> output = EdgeOutput.of(edge, maxParallelism, ofEdge);
        byEdge.put(edge.index(), output);
        return output;
    }

    EdgeOutput<?> edge(final int index) {
        return byEdge.get(index);
    }

    boolean isBlocked() {
        return backpressure.isBlocked();
    }

    /** Offers what is left from earlier cycles; cheap when nothing is blocked. */
    boolean drain() {
        return !backpressure.isBlocked() || flush();
    }

    /** Offers everything, in every outbox. */
    boolean flush() {
        backpressure.clear();
        boolean all = true;
        for (final Outbox outbox : outboxes) {
            all &= outbox.flush();
        }
        return all;
    }

    boolean isEmpty() {
        for (final Outbox outbox : outboxes) {
            if (!outbox.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Gives the barrier to every output, in its place there; what it overtakes goes to {@code overtaken}. */
    void barrier(
            final long checkpointId, final long triggerTimeNs, final int options, final Outbox.RecordSink overtaken) {
        for (int i = 0; i < outboxes.length; i++) {
            final Outbox outbox = outboxes[i];
            switch (BarrierPlacement.of(options, orders.get(i))) {
                case IN_ORDER -> outbox.barrier(checkpointId, triggerTimeNs, options);
                case ANNOUNCED -> outbox.announcedBarrier(checkpointId, triggerTimeNs, options);
                case OVERTAKING -> outbox.overtakingBarrier(checkpointId, triggerTimeNs, options, overtaken);
            }
        }
    }

    Outbox outbox(final int outputIndex) {
        return outboxes[outputIndex];
    }

    SentBarriers sentBarriers() {
        return sentBarriers;
    }

    void cancellation(final long checkpointId) {
        for (final Outbox outbox : outboxes) {
            outbox.cancellation(checkpointId);
        }
    }

    void endOfData() {
        for (final Outbox outbox : outboxes) {
            outbox.endOfData();
        }
    }

    void close() {
        for (final Outbox outbox : opened) {
            outbox.close();
        }
    }
}
