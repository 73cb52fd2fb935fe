package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.graph.PhysicalPlan.SourceNode;
import io.weir.engine.operator.Counter;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.SourcePartitions;
import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the partitions of a log that this task owns, in turn. A partition belongs to a key group, and its position is keyed
 * state under its index, so that it moves with its key group when the parallelism changes. So is the number of records of it that
 * were skipped: records are counted as they are read again after a failure, skipped ones once in the job's life.
 */
final class SourceInput implements TaskInput, SourcePartitions, LogHandler {
    /** The position of a partition that the user had end: nothing behind it is read, also by later runs. */
    private static final long DRAINED = -1;

    private final TaskEnvironment environment;
    private final SourceNode source;
    private final boolean finished;
    private final Codec<?> codec;
    private final Counter records;
    private final Counter badRecords;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    private Receiver<Object> entry;
    private ValueTable positions;
    private ValueTable skips;
    private Partition[] partitions = {};
    private int current;
    private int running;
    private boolean hasCaughtUp;
    private boolean ended;

    SourceInput(final TaskEnvironment environment, final SourceNode source, final boolean finished) {
        this.environment = environment;
        this.source = source;
        this.finished = finished;
        codec = source.codec().forTask();
        records = environment.counters().counter(source.uid(), "records");
        badRecords = environment.counters().counter(source.uid(), TaskCounters.SKIPPED);
        ended = finished;
    }

    void wire(final Receiver<Object> chainEntry) {
        entry = chainEntry;
    }

    @Override
    public void open() {
        positions = environment
                .store()
                .valueTable(new StateDescriptor(source.uid() + "/positions", "partition:int", "position:long"));
        skips = environment
                .store()
                .valueTable(new StateDescriptor(source.uid() + "/skipped", "partition:int", "count:long"));
        skips.forEach((keyGroup, partition, count) -> badRecords.add(count.getLong(0, ByteOrder.LITTLE_ENDIAN)));
        if (finished) {
            return;
        }
        for (int i = 0; i < partitions.length; i++) {
            final Partition partition = partitions[i];
            partition.position = restored(positions, partition, ReplayableLog.START);
            partition.skipped = restored(skips, partition, 0);
            if (partition.position == DRAINED) {
                partition.ended = true;
                running--;
            } else {
                partition.reader = source.log().open(partition.index, partition.position);
                partition.position = partition.reader.position();
            }
        }
    }

    /** Finds out which partitions are this task's; before the operators open, which may ask for them. */
    void assign() {
        if (finished) {
            return;
        }
        final List<Partition> owned = new ArrayList<>();
        final int count = source.log().partitions().size();
        for (int index = 0; index < count; index++) {
            if (isOwned(index)) {
                owned.add(new Partition(index));
            }
        }
        partitions = owned.toArray(Partition[]::new);
        running = partitions.length;
    }

    @Override
    public int pollControl(final long nowNs) {
        return 0;
    }

    @Override
    public int poll(final long nowNs, final int limit) throws Exception {
        int work = 0;
        for (int i = 0;
                i < partitions.length && work < limit && !environment.outputs().isBlocked();
                i++) {
            current = current + 1 < partitions.length ? current + 1 : 0;
            work += poll(partitions[current], limit - work);
        }
        if (running == 0 && !ended) {
            ended = true;
            entry.watermark(Long.MAX_VALUE);
            work++;
        }
        if (work == 0 && !hasCaughtUp && !environment.outputs().isBlocked()) {
            hasCaughtUp = true;
            environment.caughtUp();
        }
        return work;
    }

    @Override
    public void end() {
        for (final Partition partition : partitions) {
            partition.ended = true;
            partition.position = DRAINED;
        }
        running = 0;
    }

    @Override
    public boolean onRecord(
            final long position,
            final long nextPosition,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        partitions[current].position = nextPosition;
        final Object record;
        try {
            record = codec.decode(buffer, offset, length);
        } catch (final IllegalArgumentException e) {
            return onBadRecord(position, e);
        }
        try {
            entry.receive(record, Long.MIN_VALUE, Long.MIN_VALUE);
        } catch (final TaskException e) {
            throw e.isPermanent() ? TaskException.permanent(place(position) + ": " + e.getMessage(), e) : e;
        } catch (final Exception e) {
            LangUtil.rethrowUnchecked(e);
        }
        return !environment.outputs().isBlocked();
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public boolean isRestoredFinished() {
        return finished;
    }

    @Override
    public long watermarkNs() {
        return ended ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    @Override
    public void beforeFreeze() {
        for (final Partition partition : partitions) {
            put(positions, partition, partition.position);
            if (partition.skipped > 0) {
                put(skips, partition, partition.skipped);
            }
        }
    }

    private void put(final ValueTable table, final Partition partition, final long number) {
        key.putInt(0, partition.index, ByteOrder.LITTLE_ENDIAN);
        value.putLong(0, number, ByteOrder.LITTLE_ENDIAN);
        table.put(keyGroup(partition.index), key, 0, Integer.BYTES, value, 0, Long.BYTES);
    }

    @Override
    public List<String> uids(final Chain chain) {
        final List<String> uids = new ArrayList<>();
        uids.add(source.uid());
        uids.addAll(chain.uids());
        return uids;
    }

    @Override
    public int count() {
        return partitions.length;
    }

    @Override
    public int partition(final int ordinal) {
        return partitions[ordinal].index;
    }

    @Override
    public boolean ended(final int ordinal) {
        return partitions[ordinal].ended;
    }

    @Override
    public int currentOrdinal() {
        return current;
    }

    @Override
    public void close() {
        for (final Partition partition : partitions) {
            if (partition.reader != null) {
                partition.reader.close();
            }
        }
    }

    private int poll(final Partition partition, final int limit) {
        if (partition.ended) {
            return 0;
        }
        final long skippedBefore = partition.skipped;
        final int count = partition.reader.poll(this, limit);
        if (count == LogReader.END_OF_LOG) {
            partition.ended = true;
            running--;
            return 1;
        }
        records.add(count - (partition.skipped - skippedBefore));
        return count;
    }

    private boolean onBadRecord(final long position, final IllegalArgumentException cause) {
        final String place = place(position);
        if (source.onBadRecord() == OnBadRecord.FAIL) {
            throw TaskException.permanent(place + ": " + TaskException.reason(cause), cause);
        }
        partitions[current].skipped++;
        badRecords.add(1);
        environment.badRecord(place + ": " + TaskException.reason(cause));
        return true;
    }

    private String place(final long position) {
        return partitions[current].reader.describe(position);
    }

    private long restored(final ValueTable table, final Partition partition, final long otherwise) {
        key.putInt(0, partition.index, ByteOrder.LITTLE_ENDIAN);
        final UnsafeBuffer found = new UnsafeBuffer(0, 0);
        return table.get(keyGroup(partition.index), key, 0, Integer.BYTES, found)
                ? found.getLong(0, ByteOrder.LITTLE_ENDIAN)
                : otherwise;
    }

    private boolean isOwned(final int partition) {
        final TaskId id = environment.id();
        return KeyGroups.owner(keyGroup(partition), environment.maxParallelism(), id.parallelism()) == id.subtask();
    }

    private int keyGroup(final int partition) {
        return KeyGroups.ofPartition(partition, environment.maxParallelism());
    }

    private static final class Partition {
        private final int index;
        private LogReader reader;
        private long position;
        private long skipped;
        private boolean ended;

        Partition(final int index) {
            this.index = index;
        }
    }
}
