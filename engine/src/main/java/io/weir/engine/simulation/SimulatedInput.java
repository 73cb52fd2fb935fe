package io.weir.engine.simulation;

import io.weir.storage.log.LogException;
import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/** A bounded log whose records come in sight when the scheduler says so. A position is the record's index. */
final class SimulatedInput implements ReplayableLog {
    private final int input;
    private final int[] lengths;
    private final int[] visible;

    SimulatedInput(final int input, final List<Integer> lengths) {
        this.input = input;
        this.lengths = lengths.stream().mapToInt(Integer::intValue).toArray();
        visible = new int[lengths.size()];
    }

    /** Shows some more records of a partition. */
    void show(final int partition, final int count) {
        visible[partition] = Math.min(lengths[partition], visible[partition] + count);
    }

    void showAll() {
        System.arraycopy(lengths, 0, visible, 0, lengths.length);
    }

    int partitionCount() {
        return lengths.length;
    }

    int length(final int partition) {
        return lengths[partition];
    }

    long id(final int partition, final int index) {
        return Facts.id(input, partition, index);
    }

    @Override
    public String name() {
        return "input " + input;
    }

    @Override
    public List<String> partitions() {
        return IntStream.range(0, lengths.length)
                .mapToObj(partition -> name() + " partition " + partition)
                .toList();
    }

    @Override
    public LogReader open(final int partition, final long position) {
        if (position < 0 || position > lengths[partition]) {
            throw new LogException(name() + " partition " + partition + " has " + lengths[partition]
                    + " records, it does not reach position " + position);
        }
        return new Reader(partition, (int) position);
    }

    @Override
    public String toString() {
        return Arrays.toString(lengths);
    }

    private final class Reader implements LogReader {
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Long.BYTES]);
        private final int partition;
        private int position;

        Reader(final int partition, final int position) {
            this.partition = partition;
            this.position = position;
        }

        @Override
        public int poll(final LogHandler handler, final int limit) {
            if (position == lengths[partition]) {
                return END_OF_LOG;
            }
            int count = 0;
            boolean isWanted = true;
            while (isWanted && count < limit && position < visible[partition]) {
                buffer.putLong(0, id(partition, position), ByteOrder.LITTLE_ENDIAN);
                position++;
                count++;
                isWanted = handler.onRecord(position - 1, position, buffer, 0, Long.BYTES);
            }
            return count;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public String describe(final long at) {
            return name() + " partition " + partition + " record " + at;
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }
}
