package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.operator.KeyExtractor;
import io.weir.engine.operator.Receiver;
import io.weir.storage.state.KeyGroups;

/**
 * A task's end of an edge: spreads records over the outboxes of the downstream tasks. One class per kind of partitioning, so
 * that the call inside a chain stays cheap.
 */
abstract class EdgeOutput<T> implements Receiver<T> {
    final Codec<T> codec;
    final Outbox[] outboxes;

    private EdgeOutput(final Codec<T> codec, final Outbox[] outboxes) {
        this.codec = codec;
        this.outboxes = outboxes;
    }

    @SuppressWarnings("unchecked") // the planner has matched the edge's codec and keys with the type of its records
    static <T> EdgeOutput<T> of(final Edge edge, final int maxParallelism, final Outbox[] outboxes) {
        final Codec<T> codec = ((Codec<T>) edge.codec()).forTask();
        return switch (edge.partitioning()) {
            case FORWARD -> new Forward<>(codec, outboxes);
            case REBALANCE -> new Rebalance<>(codec, outboxes);
            case BROADCAST -> new Broadcast<>(codec, outboxes);
            case KEYED ->
                new Keyed<>(codec, outboxes, (KeyExtractor<T>) edge.keys().get(), maxParallelism);
        };
    }

    @Override
    public final void watermark(final long watermarkNs) {
        for (final Outbox outbox : outboxes) {
            outbox.watermark(watermarkNs);
        }
    }

    @Override
    public final void idle() {
        for (final Outbox outbox : outboxes) {
            outbox.idle();
        }
    }

    private static final class Forward<T> extends EdgeOutput<T> {
        private final Outbox outbox;

        Forward(final Codec<T> codec, final Outbox[] outboxes) {
            super(codec, outboxes);
            outbox = outboxes[0];
        }

        @Override
        public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) {
            outbox.append(codec, value, timestampNs, sourceWatermarkNs);
        }
    }

    private static final class Rebalance<T> extends EdgeOutput<T> {
        private int next;

        Rebalance(final Codec<T> codec, final Outbox[] outboxes) {
            super(codec, outboxes);
        }

        @Override
        public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) {
            outboxes[next].append(codec, value, timestampNs, sourceWatermarkNs);
            if (++next == outboxes.length) {
                next = 0;
            }
        }
    }

    private static final class Broadcast<T> extends EdgeOutput<T> {
        Broadcast(final Codec<T> codec, final Outbox[] outboxes) {
            super(codec, outboxes);
        }

        @Override
        public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) {
            for (final Outbox outbox : outboxes) {
                outbox.append(codec, value, timestampNs, sourceWatermarkNs);
            }
        }
    }

    private static final class Keyed<T> extends EdgeOutput<T> {
        private final KeyExtractor<T> keys;
        private final int maxParallelism;

        Keyed(final Codec<T> codec, final Outbox[] outboxes, final KeyExtractor<T> keys, final int maxParallelism) {
            super(codec, outboxes);
            this.keys = keys;
            this.maxParallelism = maxParallelism;
        }

        @Override
        public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
            final int keyGroup = KeyGroups.ofHash(keys.extract(value), maxParallelism);
            final int subtask = KeyGroups.owner(keyGroup, maxParallelism, outboxes.length);
            outboxes[subtask].append(codec, value, timestampNs, sourceWatermarkNs);
        }
    }
}
