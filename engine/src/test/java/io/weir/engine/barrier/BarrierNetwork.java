package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.ModelChannel.Frame;
import io.weir.engine.barrier.ModelChannel.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A model job of tasks in layers, each with the real handler, on channels with little room. Everything that can happen next
 * is drawn: a task reads, captures, writes, hears; a source emits or ends; the coordinator triggers and aborts; time goes on.
 */
final class BarrierNetwork {
    private static final int ROOM = 4;
    private static final int LAST_STEPS = 100_000;

    /** A task with its surroundings. */
    private static final class Node {
        final List<Integer> inputs = new ArrayList<>();
        final List<Integer> outputs = new ArrayList<>();
        final Deque<Runnable> mailbox = new ArrayDeque<>();
        final Set<Long> triggered = new HashSet<>();
        ModelTask task;
        int layer;
    }

    private final Random random;
    private final BarrierSettings settings;
    private final boolean disturbed;
    private final boolean ends;
    private final List<Node> nodes = new ArrayList<>();
    private final List<ModelChannel> channels = new ArrayList<>();
    private final List<Node> senders = new ArrayList<>();
    private final List<Node> receivers = new ArrayList<>();
    private final Map<Long, Integer> checkpoints = new LinkedHashMap<>();
    private final Map<Long, Long> triggerTimes = new LinkedHashMap<>();
    private final Set<Long> aborted = new TreeSet<>();
    private final int checkpointCount;
    private long nowNs = 1000;
    private int completed;
    private int withChannelState;
    private int withOutputState;

    /** A job; if it is disturbed, checkpoints overlap, fail and are aborted. */
    BarrierNetwork(Random random, BarrierSettings settings, boolean disturbed) {
        this.random = random;
        this.settings = settings;
        this.disturbed = disturbed;
        this.ends = random.nextInt(3) == 0;
        this.checkpointCount = 1 + random.nextInt(6);
        int layers = 2 + random.nextInt(2);
        for (int layer = 0; layer < layers; layer++) {
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                Node node = new Node();
                node.layer = layer;
                nodes.add(node);
            }
        }
        connect();
        for (Node node : nodes) {
            node.task = new ModelTask(settings, pick(node.inputs), pick(node.outputs));
        }
    }

    private void connect() {
        for (Node from : nodes) {
            EdgeOrder order = random.nextInt(4) == 0 ? EdgeOrder.KEPT : EdgeOrder.OVERTAKEN;
            for (Node to : nodes) {
                if (to.layer == from.layer + 1) {
                    from.outputs.add(channels.size());
                    to.inputs.add(channels.size());
                    channels.add(new ModelChannel(order));
                    senders.add(from);
                    receivers.add(to);
                }
            }
        }
    }

    private List<ModelChannel> pick(List<Integer> indexes) {
        return indexes.stream().map(channels::get).toList();
    }

    void run() {
        for (int step = 0; step < 400 || checkpoints.size() < checkpointCount; step++) {
            step(true);
        }
        int left = LAST_STEPS;
        while (!isQuiet()) {
            assertTrue(left-- > 0, () -> "the job hangs: " + describe());
            step(false);
        }
        for (Node node : nodes) {
            node.task.checkNoResidue();
        }
        checkpoints.keySet().forEach(this::check);
    }

    int completed() {
        return completed;
    }

    int withChannelState() {
        return withChannelState;
    }

    int withOutputState() {
        return withOutputState;
    }

    private void step(boolean emitting) {
        Node node = nodes.get(random.nextInt(nodes.size()));
        int choice = random.nextInt(emitting ? 22 : 18);
        if (choice < 6) {
            read(node);
        } else if (choice < 9) {
            write(node);
        } else if (choice < 11 && !node.inputs.isEmpty()) {
            node.task.pollControl(random.nextInt(node.inputs.size()));
        } else if (choice < 14) {
            capture(node);
        } else if (choice < 16 && !node.mailbox.isEmpty()) {
            node.mailbox.poll().run();
        } else if (choice == 16) {
            nowNs += random.nextInt(5);
            node.task.now(nowNs);
        } else if (choice == 17) {
            end(node, emitting);
        } else if (choice >= 18 && choice < 21) {
            emitNew(node);
        } else if (choice == 21) {
            coordinate();
        }
    }

    private void read(Node node) {
        if (node.inputs.isEmpty()) {
            return;
        }
        int input = random.nextInt(node.inputs.size());
        if (isBackPressured(node) || node.task.readable(input) == null) {
            return;
        }
        Frame frame = node.task.read(input);
        if (frame.kind() == Kind.RECORD) {
            emit(node);
        }
    }

    private void emitNew(Node node) {
        if (node.inputs.isEmpty() && !node.task.hasEndedOutputs() && !isBackPressured(node)) {
            emit(node);
        }
    }

    private boolean isBackPressured(Node node) {
        return pick(node.outputs).stream().anyMatch(output -> output.outbox.size() > ROOM);
    }

    private void emit(Node node) {
        for (ModelChannel output : pick(node.outputs)) {
            for (int i = random.nextInt(3); i > 0; i--) {
                output.emit(ModelChannel.ALIGNMENT * (1 + random.nextInt(3)));
            }
        }
    }

    private void write(Node node) {
        if (node.outputs.isEmpty()) {
            return;
        }
        int output = random.nextInt(node.outputs.size());
        ModelChannel channel = channels.get(node.outputs.get(output));
        if (channel.outbox.isEmpty()) {
            return;
        }
        if (channel.inFlight() >= ROOM) {
            return;
        }
        if (random.nextInt(8) == 0) {
            channel.sendHalf();
        } else {
            node.task.flush(output, random.nextInt(4) == 0 ? ModelChannel.ALIGNMENT : 0);
        }
    }

    private void capture(Node node) {
        for (int input = 0; input < node.inputs.size(); input++) {
            if (node.task.isCapturing(input) && random.nextBoolean()) {
                node.task.capture(input, 1 + random.nextInt(4));
            }
        }
    }

    private void end(Node node, boolean emitting) {
        boolean mayEnd = node.inputs.isEmpty()
                ? ends && (!emitting || random.nextInt(20) == 0)
                : !node.task.handler.hasRunningInputs();
        if (!mayEnd || node.task.hasEndedOutputs() || !node.mailbox.isEmpty()) {
            return;
        }
        node.task.endOutputs();
        // Whoever runs behind ended tasks only, and gets no barrier from them, is triggered by the coordinator.
        for (Node receiver : nodes) {
            if (receiver.layer == node.layer + 1 && allSendersEnded(receiver)) {
                checkpoints.forEach((id, options) -> {
                    if (!aborted.contains(id) && noSenderHas(receiver, id)) {
                        trigger(receiver, id, options);
                    }
                });
            }
        }
    }

    private boolean noSenderHas(Node node, long checkpointId) {
        return node.inputs.stream()
                .noneMatch(input -> senders.get(input).task.snapshots.containsKey(checkpointId));
    }

    private boolean allSendersEnded(Node node) {
        return node.inputs.stream().allMatch(input -> senders.get(input).task.hasEndedOutputs());
    }

    private void coordinate() {
        if (checkpoints.size() == checkpointCount) {
            return;
        }
        long last = checkpoints.size() - 1L;
        if (disturbed && last >= 0 && random.nextInt(3) == 0) {
            abort(random.nextInt((int) last + 1));
            return;
        }
        if (!disturbed && last >= 0 && !isOver(last)) {
            return;
        }
        long id = last + 1;
        int options = random.nextInt(5) == 0 ? settings.savepointOptions() : settings.checkpointOptions();
        checkpoints.put(id, options);
        triggerTimes.put(id, nowNs);
        for (Node node : nodes) {
            if (allSendersEnded(node)) {
                trigger(node, id, options);
            }
        }
    }

    private void trigger(Node node, long id, int options) {
        if (node.task.hasEndedOutputs() || !node.triggered.add(id)) {
            return;
        }
        node.mailbox.add(() -> {
            if (disturbed && random.nextInt(10) == 0) {
                node.task.failNextSnapshot();
            }
            node.task.trigger(id, triggerTimes.get(id), options);
        });
    }

    private void abort(long id) {
        if (aborted.add(id)) {
            nodes.forEach(node -> node.mailbox.add(() -> node.task.abort(id)));
        }
    }

    private boolean isOver(long id) {
        return aborted.contains(id)
                || nodes.stream().anyMatch(node -> node.task.declined.contains(id))
                || nodes.stream().allMatch(node -> hasAnswered(node, id));
    }

    private static boolean hasAnswered(Node node, long id) {
        ModelSnapshot snapshot = node.task.snapshots.get(id);
        return snapshot == null ? node.task.hasEndedOutputs() : snapshot.closed;
    }

    private boolean isQuiet() {
        for (Node node : nodes) {
            boolean mustEnd = ends && !node.task.hasEndedOutputs();
            if (mustEnd || !node.mailbox.isEmpty() || node.task.handler.deadlineNs() != Long.MAX_VALUE) {
                return false;
            }
        }
        return channels.stream()
                .allMatch(channel -> channel.outbox.isEmpty() && channel.inFlight() == 0 && channel.lane.isEmpty());
    }

    /** Compares both ends of every channel in a checkpoint that every task answered. */
    private void check(long id) {
        boolean given = aborted.contains(id) || nodes.stream().anyMatch(node -> node.task.declined.contains(id));
        boolean answered = nodes.stream().allMatch(node -> hasAnswered(node, id));
        if (!disturbed) {
            assertTrue(given || answered, () -> "checkpoint " + id + " was never complete: " + describe());
            assertFalse(given, () -> "checkpoint " + id + " was given up");
        }
        if (given || !answered) {
            return;
        }
        completed++;
        for (int channel = 0; channel < channels.size(); channel++) {
            compare(id, channel);
        }
    }

    private void compare(long id, int channel) {
        Node sender = senders.get(channel);
        Node receiver = receivers.get(channel);
        ModelSnapshot sent = sender.task.snapshots.get(id);
        ModelSnapshot received = receiver.task.snapshots.get(id);
        int output = sender.outputs.indexOf(channel);
        int input = receiver.inputs.indexOf(channel);
        long emitted = sent == null ? channels.get(channel).emitted() : sent.emitted.get(output);
        long processed = received == null ? channels.get(channel).processed() : received.processed.get(input);
        String place =
                "checkpoint " + id + ", channel " + channel + ", emitted " + emitted + ", processed " + processed;
        if (settings.mode() == CheckpointingMode.AT_LEAST_ONCE) {
            assertTrue(processed >= emitted, place);
            return;
        }
        List<Long> inFlight = new ArrayList<>();
        if (received != null) {
            inFlight.addAll(received.inputs.get(input));
        }
        if (sent != null) {
            inFlight.addAll(sent.outputs.get(output));
        }
        List<Long> expected = new ArrayList<>();
        for (long record = processed; record < emitted; record++) {
            expected.add(record);
        }
        assertTrue(processed <= emitted, place);
        assertEquals(expected, inFlight, place);
        withChannelState += inFlight.isEmpty() ? 0 : 1;
        withOutputState += sent == null || sent.outputs.get(output).isEmpty() ? 0 : 1;
        boolean mayOvertake = BarrierOptions.mayOvertake(checkpoints.get(id)) && settings.unaligned();
        boolean kept = channels.get(channel).order == EdgeOrder.KEPT || !mayOvertake;
        assertTrue(!kept || inFlight.isEmpty(), () -> "channel state on an aligned edge: " + place);
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (Node node : nodes) {
            text.append("\n layer ").append(node.layer);
            text.append(' ').append(node.task.handler.state());
            text.append(" current ").append(node.task.handler.currentCheckpointId());
            text.append(" ended ").append(node.task.hasEndedOutputs());
            text.append(" deadline ").append(node.task.handler.deadlineNs());
            text.append(" snapshots ").append(node.task.snapshots.keySet());
        }
        return text.toString();
    }
}
