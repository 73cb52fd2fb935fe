package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.engine.operator.KeyExtractor;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.state.KeyGroups;
import io.weir.transport.frame.RecordFlyweight;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The records that were in flight to a vertex at the cut and that this task has to process before any new one: first those that had
 * left their senders, then those that had not, so that the order of each old channel is kept. After a change of parallelism a
 * task takes those of its key groups, or its turn of those that are dealt out in turn. The job's thread, then the task's.
 */
final class RestoredRecords {
    private final int subtask;
    private final int parallelism;
    private final int maxParallelism;
    private final ArrayDeque<Run> received = new ArrayDeque<>();
    private final ArrayDeque<Run> unsent = new ArrayDeque<>();
    private final Map<Integer, Codec<?>> codecs = new HashMap<>();
    private final Map<Integer, Integer> turns = new HashMap<>();
    private final UnsafeBuffer run = new UnsafeBuffer(0, 0);
    private int offset;

    RestoredRecords(final int subtask, final int parallelism, final int maxParallelism) {
        this.subtask = subtask;
        this.parallelism = parallelism;
        this.maxParallelism = maxParallelism;
    }

    /** Takes what an old task of this vertex had captured on its inputs of an edge. */
    void readInputs(final SegmentReader segment, final Edge edge, final String section, final boolean isRescaled) {
        segment.forEach(
                section,
                (keyGroup, buffer, at, length) -> add(received, edge, Bytes.copy(buffer, at, length), isRescaled));
    }

    /** Takes what an old upstream task had not sent on an edge. */
    void readOutputs(final SegmentReader segment, final Edge edge, final String section, final boolean isRescaled) {
        segment.forEach(
                section,
                (keyGroup, buffer, at, length) -> add(unsent, edge, Bytes.copy(buffer, at, length), isRescaled));
    }

    boolean isEmpty() {
        return received.isEmpty() && unsent.isEmpty();
    }

    /**
     * Hands out records, in order, until the limit is met, the target says stop, or none is left.
     *
     * @return how many.
     */
    int deliver(final int limit, final Target target) throws Exception {
        int count = 0;
        for (boolean more = true; more && count < limit && !isEmpty(); count++) {
            final ArrayDeque<Run> runs = received.isEmpty() ? unsent : received;
            final Run first = runs.peek();
            run.wrap(first.bytes);
            final int at = offset;
            offset += recordLength(at);
            if (offset == first.bytes.length) {
                offset = 0;
                runs.remove();
            }
            more = target.receive(
                    first.edge, decode(first.edge, at), RecordFlyweight.timestampNs(run, at), sourceWatermarkNs(at));
        }
        return count;
    }

    private void add(final ArrayDeque<Run> runs, final Edge edge, final byte[] bytes, final boolean isRescaled) {
        run.wrap(bytes);
        for (int at = 0, next; at < bytes.length; at = next) {
            final String fault = RecordFlyweight.fault(run, at, bytes.length - at);
            if (fault != null) {
                throw new CorruptionException("records in flight on edge " + edge.index() + ": " + fault);
            }
            next = at + recordLength(at);
            if (isRescaled && isMine(edge, at)) {
                runs.add(new Run(edge, Arrays.copyOfRange(bytes, at, next)));
            }
        }
        if (!isRescaled) {
            runs.add(new Run(edge, bytes));
        }
    }

    @SuppressWarnings("unchecked") // the planner has matched the edge's keys with the type of its records
    private boolean isMine(final Edge edge, final int at) {
        if (edge.partitioning() == Partitioning.KEYED) {
            final KeyExtractor<Object> keys = (KeyExtractor<Object>) edge.keys().get();
            try {
                final int keyGroup = KeyGroups.ofHash(keys.extract(decode(edge, at)), maxParallelism);
                return KeyGroups.owner(keyGroup, maxParallelism, parallelism) == subtask;
            } catch (final Exception e) {
                throw new TaskException("key of a record in flight: " + TaskException.reason(e), e);
            }
        }
        final int turn = turns.merge(edge.index(), 1, Integer::sum) - 1;
        return turn % parallelism == subtask;
    }

    private Object decode(final Edge edge, final int at) {
        final Codec<?> codec =
                codecs.computeIfAbsent(edge.index(), index -> edge.codec().forTask());
        return codec.decode(run, at + headerLength(at), RecordFlyweight.length(run, at));
    }

    private int headerLength(final int at) {
        return RecordFlyweight.flags(run, at) == RecordFlyweight.BEHIND
                ? RecordFlyweight.BEHIND_HEADER_LENGTH
                : RecordFlyweight.HEADER_LENGTH;
    }

    private int recordLength(final int at) {
        return RecordFlyweight.alignedLength(headerLength(at), RecordFlyweight.length(run, at));
    }

    private long sourceWatermarkNs(final int at) {
        return RecordFlyweight.flags(run, at) == RecordFlyweight.BEHIND
                ? RecordFlyweight.sourceWatermarkNs(run, at)
                : Long.MIN_VALUE;
    }

    /** Takes the records. */
    interface Target {
        /** One record; returns whether the next may follow. */
        boolean receive(Edge edge, Object value, long timestampNs, long sourceWatermarkNs) throws Exception;
    }

    /** Records back to back that came over one edge. */
    private static final class Run {
        private final Edge edge;
        private final byte[] bytes;

        Run(final Edge edge, final byte[] bytes) {
            this.edge = edge;
            this.bytes = bytes;
        }
    }
}
