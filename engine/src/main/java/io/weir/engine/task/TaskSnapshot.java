package io.weir.engine.task;

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
    private FrozenState keyedState;
    private volatile boolean aborted;

    TaskSnapshot(final long checkpointId, final long watermarkNs) {
        this.checkpointId = checkpointId;
        this.watermarkNs = watermarkNs;
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

    Written writeTo(final SegmentWriter writer) {
        final List<SegmentHandle> shared = keyedState.writeTo(checkpointId, writer);
        listState.forEach((section, elements) -> {
            writer.beginSection(section, "list");
            for (final byte[] element : elements) {
                writer.entry(-1, new UnsafeBuffer(element), 0, element.length);
            }
        });
        final UnsafeBuffer watermark = new UnsafeBuffer(new byte[Long.BYTES]);
        watermark.putLong(0, watermarkNs, ByteOrder.LITTLE_ENDIAN);
        writer.beginSection(RestoredTask.WATERMARK, "");
        writer.entry(-1, watermark, 0, Long.BYTES);
        return new Written(writer.finish(), shared);
    }

    void close() {
        if (keyedState != null) {
            keyedState.close();
        }
    }

    /** The segments of a task's part: its own, and those it shares with other checkpoints, oldest first. */
    record Written(SegmentHandle own, List<SegmentHandle> shared) {}
}
