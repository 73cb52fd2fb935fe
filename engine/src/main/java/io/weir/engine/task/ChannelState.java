package io.weir.engine.task;

import io.weir.storage.snapshot.SegmentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What was in flight at the cut of one checkpoint, as copies of whole records: filled by the task thread until the channel state
 * is closed, then written by an I/O thread.
 */
final class ChannelState implements Outbox.RecordSink {
    private final TaskChannels channels;
    private final List<List<byte[]>> inputs;
    private final List<List<byte[]>> outputs;
    private long outputBytes;

    ChannelState(final TaskChannels channels) {
        this.channels = channels;
        inputs = lists(channels.inputs().size());
        outputs = lists(channels.outputs().size());
    }

    void addInput(final int channelIndex, final DirectBuffer buffer, final int offset, final int length) {
        inputs.get(channelIndex).add(Bytes.copy(buffer, offset, length));
    }

    @Override
    public void add(final int outputIndex, final DirectBuffer buffer, final int offset, final int length) {
        outputs.get(outputIndex).add(Bytes.copy(buffer, offset, length));
        outputBytes += length;
    }

    /** Bytes of the outputs that were added since the last call. */
    long takeOutputBytes() {
        final long taken = outputBytes;
        outputBytes = 0;
        return taken;
    }

    void writeTo(final SegmentWriter writer) {
        write(writer, channels.inputs(), inputs, TaskChannel::inputSection);
        write(writer, channels.outputs(), outputs, TaskChannel::outputSection);
    }

    private static void write(
            final SegmentWriter writer,
            final List<TaskChannel> channels,
            final List<List<byte[]>> records,
            final Function<TaskChannel, String> section) {
        for (int i = 0; i < records.size(); i++) {
            if (!records.get(i).isEmpty()) {
                writer.beginSection(
                        section.apply(channels.get(i)),
                        TaskChannel.layout(channels.get(i).edge()));
                for (final byte[] run : records.get(i)) {
                    writer.entry(-1, new UnsafeBuffer(run), 0, run.length);
                }
            }
        }
    }

    private static List<List<byte[]>> lists(final int count) {
        final List<List<byte[]>> lists = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }
}
