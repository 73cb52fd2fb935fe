package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.engine.barrier.ModelChannel.Frame;
import io.weir.engine.barrier.ModelChannel.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays a line of events into a task and writes down what came of each, so that a case is one line that is compared as a
 * whole.
 *
 * <p>Events: {@code d0} record on channel 0, {@code B5@1} barrier of checkpoint 5 on channel 1 with the job's options,
 * {@code S5@1} savepoint barrier, {@code U5@1} unaligned barrier with its announcement ahead, {@code X5@1} cancellation,
 * {@code E1} end of data: each arrives and is read, with all that arrived before it on that channel. With a {@code q} in
 * front it only arrives, and {@code r1} reads one frame of channel 1. {@code ann5@1} announcement of a barrier that waits
 * behind unsent frames, {@code uann5@1} unaligned announcement of a barrier that belongs here but is not written yet. {@code
 * A5} abort and {@code T5} trigger by the coordinator, {@code TS5} trigger of a savepoint; checkpoints are triggered at time
 * 0. {@code tick9} time goes on by 9, {@code late9} so too, but no timer runs until {@code fire}. {@code e0} emits a record
 * into the outbox of output 0, {@code w0} writes a frame of it. {@code restoring} and {@code restored} frame the
 * processing of restored channel state.
 *
 * <p>Actions follow their event behind a colon: {@code block1}, {@code unblock1}, {@code snap5}, {@code usnap5} unaligned,
 * {@code abort5(subsumed)}, {@code cancel5}, {@code overtake0}, and {@code closed5{0=2+3}} with the numbers of the records
 * that are channel state, of inputs by channel and of outputs ({@code out0=1}). An event without a colon asked for nothing.
 * Captures run at once and are not written down.
 */
final class BarrierScript {
    private static final Pattern EVENT = Pattern.compile(
            "(q?)(d|B|S|U|X|E|r|ann|uann|A|T|TS|tick|late|fire|e|w|restoring|restored)(\\d*)(?:@(\\d+))?");

    private final BarrierSettings settings;
    private final ModelTask task;
    private final List<ModelChannel> inputs = new ArrayList<>();
    private final List<ModelChannel> outputs = new ArrayList<>();
    private final List<String> actions = new ArrayList<>();
    private long nowNs;

    BarrierScript(BarrierSettings settings, int inputs) {
        this(settings, inputs, 0);
    }

    BarrierScript(BarrierSettings settings, int inputs, int outputs) {
        this(settings, "o".repeat(inputs), "o".repeat(outputs));
    }

    /** A task whose channels are given by a letter each: {@code k} where the edge keeps its order. */
    BarrierScript(BarrierSettings settings, String inputs, String outputs) {
        this.settings = settings;
        inputs.chars().forEach(order -> this.inputs.add(new ModelChannel(order(order))));
        outputs.chars().forEach(order -> this.outputs.add(new ModelChannel(order(order))));
        this.task = new ModelTask(settings, this.inputs, this.outputs);
        task.listen(this::render);
    }

    private static EdgeOrder order(int letter) {
        return letter == 'k' ? EdgeOrder.KEPT : EdgeOrder.OVERTAKEN;
    }

    ModelTask task() {
        return task;
    }

    BarrierHandler handler() {
        return task.handler;
    }

    String play(String line) {
        StringJoiner played = new StringJoiner(" ");
        for (String token : line.trim().split("\\s+")) {
            String event = token.split(":", 2)[0];
            actions.clear();
            Matcher matcher = EVENT.matcher(event);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("no such event: " + event);
            }
            play(matcher);
            captureAll();
            played.add(actions.isEmpty() ? event : event + ":" + String.join(",", actions));
        }
        return played.toString();
    }

    private void play(Matcher event) {
        int number = event.group(3).isEmpty() ? 0 : Integer.parseInt(event.group(3));
        int channel = event.group(4) == null ? number : Integer.parseInt(event.group(4));
        boolean read = event.group(1).isEmpty();
        switch (event.group(2)) {
            case "d" -> arrive(channel, new Frame(Kind.RECORD, nextRecord(channel), 0, 0, 8), read);
            case "B" -> arrive(channel, barrier(number, settings.checkpointOptions()), read);
            case "S" -> arrive(channel, barrier(number, settings.savepointOptions()), read);
            case "U" -> {
                if (read) {
                    announce(channel, number, BarrierOptions.UNALIGNED, BarrierPlacement.OVERTAKING);
                }
                arrive(channel, barrier(number, BarrierOptions.UNALIGNED), false);
                readUpTo(channel, read && inputs.get(channel).inFlight() == 1);
            }
            case "X" -> arrive(channel, Frame.event(Kind.CANCELLATION, number), read);
            case "E" -> arrive(channel, Frame.event(Kind.END, 0), read);
            case "r" -> task.read(channel);
            case "ann" -> announce(channel, number, settings.checkpointOptions(), BarrierPlacement.ANNOUNCED);
            case "uann" -> announce(channel, number, BarrierOptions.UNALIGNED, BarrierPlacement.OVERTAKING);
            case "A" -> task.abort(number);
            case "T" -> task.trigger(number, 0, settings.checkpointOptions());
            case "TS" -> task.trigger(number, 0, settings.savepointOptions());
            case "tick" -> task.now(nowNs += number);
            case "late" -> task.late(nowNs += number);
            case "fire" -> task.now(nowNs);
            case "e" -> outputs.get(number).emit(8);
            case "w" -> task.flush(number, 0);
            case "restoring" -> task.carryOut(task.handler.onChannelStateRestoring());
            default -> task.carryOut(task.handler.onChannelStateRestored(nowNs));
        }
    }

    private long nextRecord(int channel) {
        return inputs.get(channel).nextRecord();
    }

    private static Frame barrier(long checkpointId, int options) {
        return new Frame(Kind.BARRIER, checkpointId, 0, options, 8);
    }

    private void arrive(int channel, Frame frame, boolean read) {
        inputs.get(channel).outbox.add(frame);
        inputs.get(channel).flush(0);
        captureAll();
        readUpTo(channel, read);
    }

    private void readUpTo(int channel, boolean read) {
        captureAll();
        while (read && inputs.get(channel).inFlight() > 0) {
            task.read(channel);
            captureAll();
        }
    }

    private void announce(int channel, int checkpointId, int options, BarrierPlacement placement) {
        inputs.get(channel).announce(barrier(checkpointId, options), placement == BarrierPlacement.OVERTAKING);
        task.pollControl(channel);
    }

    private void captureAll() {
        for (int channel = 0; channel < inputs.size(); channel++) {
            while (task.isCapturing(channel) && task.capture(channel, 1)) {
                // Slice by slice.
            }
        }
    }

    private void render(BarrierAction action) {
        if (action instanceof BarrierAction.Block block) {
            actions.add("block" + block.channelIndex());
        } else if (action instanceof BarrierAction.Unblock unblock) {
            actions.add("unblock" + unblock.channelIndex());
        } else if (action instanceof BarrierAction.Snapshot snapshot) {
            boolean unaligned = BarrierOptions.isUnaligned(snapshot.options());
            assertEquals(unaligned, snapshot.metrics().unaligned());
            actions.add((unaligned ? "usnap" : "snap") + snapshot.checkpointId());
        } else if (action instanceof BarrierAction.Abort abort) {
            actions.add("abort" + abort.checkpointId() + "("
                    + abort.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")");
        } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
            actions.add("cancel" + cancellation.checkpointId());
        } else if (action instanceof BarrierAction.Overtake overtake) {
            actions.add("overtake" + overtake.outputIndex());
        } else if (action instanceof BarrierAction.ChannelStateClosed closed) {
            actions.add("closed" + closed.checkpointId() + task.snapshots.get(closed.checkpointId()));
        } else {
            assertNull(
                    action instanceof BarrierAction.Capture || action instanceof BarrierAction.StopCapture
                            ? null
                            : action);
        }
    }
}
