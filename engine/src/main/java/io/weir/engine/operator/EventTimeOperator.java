package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.ToLongFunction;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Gives each record its event time and makes watermarks: for each source partition (greatest time seen - bound - 1 ns), and for
 * the task the least over its partitions that have not ended and are not idle. What comes as watermark is dropped, but for the
 * end of all data.
 *
 * <p>The greatest time of each partition is keyed state under the partition's index, in {@link KeyGroups#ofPartition}: so it
 * moves with the partition when the parallelism changes. Task thread only; allocates nothing per record.
 *
 * @param <T> type of the records.
 */
public final class EventTimeOperator<T> implements Operator<T> {
    private static final long NONE = Long.MIN_VALUE;

    private final ToLongFunction<T> function;
    private final TimeUnit unit;
    private final long unitNs;
    private final long boundNs;
    private final long idlenessNs;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);

    private SourcePartitions partitions;
    private Receiver<T> output;
    private ValueTable table;
    private int maxParallelism;
    private long[] greatestNs;
    private long[] keptNs;
    private long[] lastSeenNs;
    private boolean[] seen;
    private long watermarkNs = NONE;
    private boolean idle;

    /**
     * An operator for one task.
     *
     * @param function takes a record's time.
     * @param unit of that time.
     * @param boundNs how far a record may come behind a later one of its partition.
     * @param idlenessNs how long a partition may be silent before it no longer holds back the watermark, 0 for ever.
     */
    public EventTimeOperator(
            final ToLongFunction<T> function, final TimeUnit unit, final long boundNs, final long idlenessNs) {
        this.function = function;
        this.unit = unit;
        this.unitNs = unit.toNanos(1);
        this.boundNs = boundNs;
        this.idlenessNs = idlenessNs;
    }

    @Override
    public void open(final OperatorContext context) {
        partitions = context.partitions();
        if (partitions == null) {
            throw new IllegalStateException(
                    "event time follows source partitions: it must stand in the source's chain");
        }
        output = context.output();
        maxParallelism = context.maxParallelism();
        table = context.state().valueTable(new StateDescriptor(context.uid() + "/partitions", "int", "long"));
        restore(partitions.count(), context.nowNs());
    }

    @Override
    public void receive(final T record, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        final int ordinal = partitions.currentOrdinal();
        assert ordinal < greatestNs.length : "partition ordinal " + ordinal + " of " + greatestNs.length;
        final long eventNs = toNanos(function.applyAsLong(record));
        final long greatest = greatestNs[ordinal];
        final long partitionWatermarkNs = greatest == NONE ? NONE : greatest - boundNs - 1;
        if (eventNs > greatest) {
            greatestNs[ordinal] = eventNs;
        }
        seen[ordinal] = true;
        output.receive(record, eventNs, eventNs <= partitionWatermarkNs ? partitionWatermarkNs : NONE);
    }

    @Override
    public void watermark(final long newWatermarkNs) throws Exception {
        if (newWatermarkNs == Long.MAX_VALUE) {
            watermarkNs = newWatermarkNs;
            output.watermark(newWatermarkNs);
        }
    }

    @Override
    public void idle() {
        output.idle();
    }

    @Override
    public void batchEnd(final long nowNs) throws Exception {
        for (int i = 0; i < seen.length; i++) {
            if (seen[i]) {
                seen[i] = false;
                lastSeenNs[i] = nowNs;
            }
        }
        advance(nowNs);
    }

    @Override
    public void processingTime(final long nowNs) throws Exception {
        advance(nowNs);
    }

    @Override
    public void beforeBarrier(final long checkpointId) {
        for (int i = 0; i < greatestNs.length; i++) {
            if (greatestNs[i] != keptNs[i]) {
                final int partition = partitions.partition(i);
                key.putInt(0, partition, LITTLE_ENDIAN);
                value.putLong(0, greatestNs[i], LITTLE_ENDIAN);
                table.put(
                        KeyGroups.ofPartition(partition, maxParallelism), key, 0, Integer.BYTES, value, 0, Long.BYTES);
                keptNs[i] = greatestNs[i];
            }
        }
    }

    private void advance(final long nowNs) throws Exception {
        long least = Long.MAX_VALUE;
        int silent = 0;
        int running = 0;
        for (int i = 0; i < greatestNs.length; i++) {
            if (partitions.ended(i)) {
                continue;
            }
            running++;
            if (idlenessNs > 0 && nowNs - lastSeenNs[i] >= idlenessNs) {
                silent++;
            } else {
                least = Math.min(least, greatestNs[i] == NONE ? NONE : greatestNs[i] - boundNs - 1);
            }
        }
        // Without a partition that could speak, the end of all data is the task's to announce.
        if (silent == running) {
            if (!idle && watermarkNs != Long.MAX_VALUE) {
                idle = true;
                output.idle();
            }
        } else if (least > watermarkNs) {
            idle = false;
            watermarkNs = least;
            output.watermark(least);
        } else if (idle) {
            // A partition speaks again: its channel holds back the watermark from its next record on.
            idle = false;
        }
    }

    private long toNanos(final long time) {
        final long nanos = time * unitNs;
        if (Math.multiplyHigh(time, unitNs) != nanos >> (Long.SIZE - 1)
                || nanos == Long.MAX_VALUE
                || nanos < Long.MIN_VALUE + boundNs + 2) {
            throw new IllegalArgumentException(
                    "timestamp " + time + " " + unit + " is out of the range of 64-bit nanoseconds");
        }
        return nanos;
    }

    private void restore(final int count, final long nowNs) {
        greatestNs = new long[count];
        lastSeenNs = new long[count];
        seen = new boolean[count];
        final UnsafeBuffer kept = new UnsafeBuffer(0, 0);
        for (int i = 0; i < count; i++) {
            final int partition = partitions.partition(i);
            key.putInt(0, partition, LITTLE_ENDIAN);
            final boolean found =
                    table.get(KeyGroups.ofPartition(partition, maxParallelism), key, 0, Integer.BYTES, kept);
            greatestNs[i] = found ? kept.getLong(0, LITTLE_ENDIAN) : NONE;
            lastSeenNs[i] = nowNs;
        }
        keptNs = greatestNs.clone();
    }
}
