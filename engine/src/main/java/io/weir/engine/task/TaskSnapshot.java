package io.weir.engine.task;

import io.weir.engine.barrier.BarrierMetrics;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.OperatorSnapshot;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.FrozenState;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** One task's part of one checkpoint: filled at the cut by the task thread, then written by an I/O thread. */
final class TaskSnapshot {
    private final long checkpointId;
    private final long watermarkNs;
    private final Map<String, List<byte[]>> listState = new LinkedHashMap<>();
    private final List<IoAction> beforeAcknowledge = new ArrayList<>();
    private final ChannelState channelState;
    private FrozenState keyedState;
    private List<SegmentHandle> shared = List.of();
    private SegmentWriter writer;
    private final boolean finished;
    private boolean channelStateOpen;
    private long cutBeginNs;
    private long cutEndNs;
    private volatile boolean aborted;

    /**
     * An empty part.
     *
     * @param channelState what was in flight, which is added to until it is closed; null where the barrier overtakes nothing.
     * @param finished whether the task will do nothing more.
     */
    TaskSnapshot(
            final long checkpointId, final long watermarkNs, final ChannelState channelState, final boolean finished) {
        this.checkpointId = checkpointId;
        this.watermarkNs = watermarkNs;
        this.channelState = channelState;
        this.finished = finished;
        channelStateOpen = channelState != null;
    }

    long checkpointId() {
        return checkpointId;
    }

    OperatorSnapshot of(final String uid) {
        return new OperatorSnapshot() {
            @Override
            public long checkpointId() {
                return checkpointId;
            }

            @Override
            public void listState(final String name, final List<byte[]> elements) {
                listState.put(RestoredTask.LIST_STATE + uid + "/" + name, List.copyOf(elements));
            }

            @Override
            public void broadcastState(final String name, final List<byte[]> elements) {
                listState.put(RestoredTask.BROADCAST_STATE + uid + "/" + name, List.copyOf(elements));
            }

            @Override
            public void beforeAcknowledge(final IoAction action) {
                beforeAcknowledge.add(action);
            }
        };
    }

    void listState(final Map<String, List<byte[]>> sections) {
        listState.putAll(sections);
    }

    void keyedState(final FrozenState frozen) {
        keyedState = frozen;
    }

    /** The checkpoint is given up: what is not written yet need not be. Any thread. */
    void abort() {
        aborted = true;
    }

    boolean isAborted() {
        return aborted;
    }

    /** What the operators prepared belongs to later checkpoints too, so this runs for aborted ones as well. */
    void runBeforeAcknowledge() throws Exception {
        for (final IoAction action : beforeAcknowledge) {
            action.run();
        }
    }

    /** The channel state, or null. Task thread only. */
    ChannelState channelState() {
        return channelState;
    }

    /** Whether channel state is still being added. Task thread only. */
    boolean isChannelStateOpen() {
        return channelStateOpen;
    }

    /** Nothing is added any more. Task thread only. */
    void channelStateClosed() {
        channelStateOpen = false;
    }

    /** The cut was made. */
    void cut(final long beginNs, final long endNs) {
        cutBeginNs = beginNs;
        cutEndNs = endNs;
    }

    boolean isFinished() {
        return finished;
    }

    CheckpointMetrics metrics(final BarrierMetrics barriers, final long nowNs) {
        return new CheckpointMetrics(barriers, cutEndNs - cutBeginNs, nowNs - cutEndNs);
    }

    /** Whether the frozen state was written, and nothing has failed since. I/O thread. */
    boolean isWritten() {
        return writer != null;
    }

    /** Writes the frozen state, and lets go of it. I/O thread. */
    void writeState(final SegmentWriter segment, final int options) {
        writer = segment;
        writeKeyedState(segment, options);
        closeKeyedState();
        listState.forEach((section, elements) -> {
            segment.beginSection(section, "list");
            for (final byte[] element : elements) {
                segment.entry(-1, new UnsafeBuffer(element), 0, element.length);
            }
        });
        final UnsafeBuffer watermark = new UnsafeBuffer(new byte[Long.BYTES]);
        watermark.putLong(0, watermarkNs, ByteOrder.LITTLE_ENDIAN);
        segment.beginSection(RestoredTask.WATERMARK, "");
        segment.entry(-1, watermark, 0, Long.BYTES);
    }

    private void writeKeyedState(final SegmentWriter segment, final int options) {
        if (!BarrierOptions.isSavepoint(options)) {
            shared = keyedState.writeTo(checkpointId, segment);
        } else if (BarrierOptions.isNativeForm(options)) {
            shared = keyedState.writeNative(checkpointId, segment);
        } else {
            keyedState.writeCanonical(checkpointId, segment);
        }
    }

    /** Writes the channel state behind the frozen state, and makes all of it durable. I/O thread. */
    Written finish() {
        if (channelState != null) {
            channelState.writeTo(writer);
        }
        return new Written(writer.finish(), shared);
    }

    /** Abandons what was not finished. Idempotent. I/O thread. */
    void close() {
        closeKeyedState();
        final SegmentWriter closing = writer;
        writer = null;
        if (closing != null) {
            closing.close();
        }
    }

    /** Once: the state may be frozen anew behind it. */
    private void closeKeyedState() {
        final FrozenState closing = keyedState;
        keyedState = null;
        if (closing != null) {
            closing.close();
        }
    }

    /** The segments of a task's part: its own, and those it shares with other checkpoints, oldest first. */
    record Written(SegmentHandle own, List<SegmentHandle> shared) {}
}
