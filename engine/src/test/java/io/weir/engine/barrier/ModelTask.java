package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.ModelChannel.Frame;
import io.weir.engine.barrier.ModelChannel.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Carries out, in a model job, what a handler decides, and holds it to its word. */
final class ModelTask {
    final BarrierHandler handler;
    final Map<Long, ModelSnapshot> snapshots = new TreeMap<>();
    final Set<Long> declined = new HashSet<>();
    private final BarrierSettings settings;
    private final List<ModelChannel> inputs;
    private final List<ModelChannel> outputs;
    private final Map<Integer, BarrierAction.Capture> captures = new HashMap<>();
    private final BitSet blocked = new BitSet();
    private final Set<Long> aborted = new HashSet<>();
    private Consumer<BarrierAction> listener = action -> {};
    private long lastSnapshotId = -1;
    private long lastCancellationId = -1;
    private boolean snapshotFails;
    private boolean outputsEnded;
    private long nowNs;

    ModelTask(BarrierSettings settings, List<ModelChannel> inputs, List<ModelChannel> outputs) {
        this.settings = settings;
        this.inputs = inputs;
        this.outputs = outputs;
        this.handler =
                settings.handler(new BarrierChannels(inputs.size(), kept(inputs), outputs.size(), kept(outputs)));
    }

    private static BitSet kept(List<ModelChannel> channels) {
        BitSet kept = new BitSet();
        for (int i = 0; i < channels.size(); i++) {
            kept.set(i, channels.get(i).order == EdgeOrder.KEPT);
        }
        return kept;
    }

    void listen(Consumer<BarrierAction> newListener) {
        listener = newListener;
    }

    void failNextSnapshot() {
        snapshotFails = true;
    }

    void now(long newNowNs) {
        nowNs = newNowNs;
        if (nowNs >= handler.deadlineNs()) {
            carryOut(handler.onTime(nowNs));
            assertTrue(handler.deadlineNs() > nowNs, "the deadline stays in the past");
        }
    }

    /** Time goes on, but no timer runs. */
    void late(long newNowNs) {
        nowNs = newNowNs;
    }

    void trigger(long checkpointId, long triggerTimeNs, int options) {
        carryOut(handler.onTrigger(checkpointId, triggerTimeNs, options, nowNs));
    }

    void abort(long checkpointId) {
        carryOut(handler.onAbort(checkpointId));
    }

    void endOutputs() {
        outputsEnded = true;
        outputs.forEach(output -> output.outbox.add(Frame.event(Kind.END, 0)));
        handler.onOutputsEnded();
    }

    boolean hasEndedOutputs() {
        return outputsEnded;
    }

    boolean pollControl(int channel) {
        ModelChannel.Announcement announced = inputs.get(channel).lane.poll();
        if (announced == null) {
            return false;
        }
        carryOut(handler.onAnnouncement(
                channel,
                announced.checkpointId(),
                announced.triggerTimeNs(),
                announced.options(),
                announced.position(),
                nowNs));
        return true;
    }

    /** Writes one frame of an output. */
    void flush(int output, int unusedBytes) {
        Frame frame = outputs.get(output).flush(unusedBytes);
        if (frame.kind() == Kind.BARRIER) {
            carryOut(handler.onBarrierSent(output, frame.id(), nowNs));
        }
    }

    /** The frame that could be read from a channel now, or null. */
    Frame readable(int channel) {
        assertEquals(blocked.get(channel), handler.isBlocked(channel));
        return blocked.get(channel) ? null : inputs.get(channel).peek(handler.readLimit(channel));
    }

    /** Reads the channel's next frame; a record must be readable. */
    Frame read(int channel) {
        boolean readable = readable(channel) != null;
        Frame frame = inputs.get(channel).read();
        assertTrue(readable || frame.kind() != Kind.RECORD, () -> "channel " + channel + " must not be read");
        switch (frame.kind()) {
            case RECORD -> handler.onProcessed(frame.length());
            case BARRIER ->
                carryOut(handler.onBarrier(channel, frame.id(), frame.triggerTimeNs(), frame.options(), nowNs));
            case CANCELLATION -> carryOut(handler.onCancellation(channel, frame.id(), nowNs));
            case END -> carryOut(handler.onEndOfData(channel, nowNs));
        }
        return frame;
    }

    boolean isCapturing(int channel) {
        return captures.containsKey(channel);
    }

    /** Works on the channel's slice, up to a number of frames. Tells whether there was anything to do. */
    boolean capture(int channel, int frames) {
        BarrierAction.Capture slice = captures.get(channel);
        List<Frame> taken = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        inputs.get(channel).forEach(slice.beginPosition(), slice.endPosition(), (frame, end) -> {
            taken.add(frame);
            ends.add(end);
            return taken.size() < frames;
        });
        long bytes = 0;
        for (int i = 0; i < taken.size(); i++) {
            Frame frame = taken.get(i);
            boolean last = i == taken.size() - 1;
            if (frame.kind() == Kind.RECORD) {
                snapshots.get(slice.checkpointId()).inputs.get(channel).add(frame.id());
                bytes += frame.length();
            } else {
                if (bytes > 0) {
                    captured(slice, ends.get(i) - frame.length(), bytes);
                    return true;
                }
                ahead(slice, frame);
                if (!isOn(slice)) {
                    return true;
                }
            }
            if (last) {
                captured(slice, ends.get(i), bytes);
            }
        }
        return !taken.isEmpty();
    }

    private boolean isOn(BarrierAction.Capture slice) {
        return slice.equals(captures.get(slice.channelIndex()));
    }

    private void captured(BarrierAction.Capture slice, long position, long bytes) {
        if (position >= slice.endPosition()) {
            captures.remove(slice.channelIndex());
        }
        List<BarrierAction> actions =
                handler.onCaptured(slice.channelIndex(), slice.checkpointId(), position, bytes, nowNs);
        assertNotEquals(BarrierOutcome.IGNORED_LATE_ANSWER, handler.outcome(), () -> "never stopped: " + slice);
        carryOut(actions);
    }

    private void ahead(BarrierAction.Capture slice, Frame event) {
        int channel = slice.channelIndex();
        if (event.kind() == Kind.BARRIER) {
            if (event.id() == slice.checkpointId()) {
                captures.remove(channel);
            }
            carryOut(handler.onBarrierAhead(channel, event.id(), nowNs));
        } else if (event.kind() == Kind.CANCELLATION) {
            carryOut(handler.onCancellationAhead(channel, event.id(), nowNs));
        } else {
            captures.remove(channel);
            carryOut(handler.onEndOfDataAhead(channel, nowNs));
        }
    }

    void carryOut(List<BarrierAction> actions) {
        List<Supplier<List<BarrierAction>>> answers = new ArrayList<>();
        for (BarrierAction action : actions) {
            listener.accept(action);
            if (action instanceof BarrierAction.Block block) {
                assertFalse(blocked.get(checked(block.channelIndex())), "blocked twice");
                blocked.set(block.channelIndex());
            } else if (action instanceof BarrierAction.Unblock unblock) {
                assertTrue(blocked.get(checked(unblock.channelIndex())), "unblocked though open");
                blocked.clear(unblock.channelIndex());
            } else if (action instanceof BarrierAction.Snapshot snapshot) {
                answers.add(snapshot(snapshot));
            } else if (action instanceof BarrierAction.Capture capture) {
                startCapture(capture);
            } else if (action instanceof BarrierAction.StopCapture stop) {
                BarrierAction.Capture stopped = captures.remove(checked(stop.channelIndex()));
                assertEquals(stop.checkpointId(), stopped.checkpointId());
            } else if (action instanceof BarrierAction.Overtake overtake) {
                answers.add(overtake(overtake));
            } else if (action instanceof BarrierAction.ChannelStateClosed closed) {
                ModelSnapshot snapshot = snapshots.get(closed.checkpointId());
                assertFalse(snapshot.closed, "closed twice");
                snapshot.closed = true;
                snapshot.metrics = closed.metrics();
            } else if (action instanceof BarrierAction.Abort abort) {
                abort(abort);
            } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
                cancel(cancellation.checkpointId());
            }
        }
        answers.forEach(answer -> carryOut(answer.get()));
    }

    private int checked(int channelIndex) {
        assertTrue(channelIndex >= 0 && channelIndex < inputs.size(), () -> "no channel " + channelIndex);
        return channelIndex;
    }

    private void startCapture(BarrierAction.Capture capture) {
        checked(capture.channelIndex());
        assertEquals(lastSnapshotId, capture.checkpointId(), "captures for the last cut");
        long length = capture.endPosition() - capture.beginPosition();
        assertTrue(length > 0 && length <= settings.captureSliceLength(), () -> "slice " + capture);
        captures.put(capture.channelIndex(), capture);
    }

    private Supplier<List<BarrierAction>> snapshot(BarrierAction.Snapshot action) {
        long checkpointId = action.checkpointId();
        assertTrue(checkpointId > lastSnapshotId, () -> "snapshot " + checkpointId + " after " + lastSnapshotId);
        assertFalse(aborted.contains(checkpointId), () -> "snapshot of given up " + checkpointId);
        lastSnapshotId = checkpointId;
        boolean open = BarrierOptions.mayOvertake(action.options());
        if (snapshotFails) {
            snapshotFails = false;
            declined.add(checkpointId);
            cancel(checkpointId);
            return open ? () -> handler.onSnapshotFailed(checkpointId, nowNs) : List::of;
        }
        ModelSnapshot snapshot = new ModelSnapshot(inputs, outputs, action);
        snapshots.put(checkpointId, snapshot);
        long outputBytes = 0;
        for (int i = 0; i < outputs.size() && !outputsEnded; i++) {
            Frame barrier = new Frame(
                    Kind.BARRIER, checkpointId, action.triggerTimeNs(), action.options(), ModelChannel.ALIGNMENT);
            BarrierPlacement placement = BarrierPlacement.of(action.options(), outputs.get(i).order);
            outputBytes += outputs.get(i).place(placement, barrier, snapshot.outputs.get(i));
        }
        if (open) {
            long bytes = outputBytes;
            return () -> handler.onSnapshotTaken(
                    checkpointId, channel -> inputs.get(channel).cursorPosition(), bytes, nowNs);
        }
        snapshot.closed = true;
        snapshot.metrics = action.metrics();
        return List::of;
    }

    private Supplier<List<BarrierAction>> overtake(BarrierAction.Overtake action) {
        int output = action.outputIndex();
        assertEquals(EdgeOrder.OVERTAKEN, outputs.get(output).order);
        assertTrue(BarrierOptions.isUnaligned(action.options()));
        long bytes = outputs.get(output)
                .overtakeLate(
                        action.checkpointId(),
                        action.options(),
                        snapshots.get(action.checkpointId()).outputs.get(output));
        return () -> handler.onOvertaken(output, action.checkpointId(), bytes, nowNs);
    }

    private void abort(BarrierAction.Abort abort) {
        assertTrue(aborted.add(abort.checkpointId()), () -> "given up twice: " + abort);
        ModelSnapshot dropped = snapshots.remove(abort.checkpointId());
        assertFalse(dropped != null && dropped.closed, () -> "given up though closed: " + abort);
        declined.add(abort.checkpointId());
    }

    private void cancel(long checkpointId) {
        assertTrue(checkpointId > lastCancellationId, () -> checkpointId + " cancelled after " + lastCancellationId);
        lastCancellationId = checkpointId;
        if (!outputsEnded) {
            outputs.forEach(output -> output.outbox.add(Frame.event(Kind.CANCELLATION, checkpointId)));
        }
    }

    /** Nothing is left of any checkpoint. */
    void checkNoResidue() {
        assertTrue(blocked.isEmpty(), () -> "blocked at the end: " + blocked);
        assertTrue(captures.isEmpty(), () -> "capturing at the end: " + captures);
        assertFalse(handler.hasOpenChannelState(), "channel state open at the end");
        assertEquals(Long.MAX_VALUE, handler.deadlineNs(), "a deadline at the end");
        for (int channel = 0; channel < inputs.size(); channel++) {
            assertEquals(Long.MAX_VALUE, handler.readLimit(channel), "a read limit at the end");
        }
    }
}
