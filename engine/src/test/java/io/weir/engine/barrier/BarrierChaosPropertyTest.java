package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One task and any events in any order, also such that no sane sender makes: ids that fall, barriers of ended channels,
 * answers to what was never asked. Whatever comes, each action makes sense after those before it, and once a checkpoint's
 * barrier has come on every channel nothing is left of it or of older ones. {@code -Dweir.barrier.seed=n} replays one.
 */
class BarrierChaosPropertyTest {
    private static final int RUNS = Integer.getInteger("weir.barrier.runs", 4_000);
    private static final int MAX_ID = 12;

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of("aligned", BarrierSettings.aligned()),
                Arguments.of("unaligned", limited(BarrierSettings.unaligned(0))),
                Arguments.of("unaligned past 20", limited(BarrierSettings.unaligned(20))),
                Arguments.of("at least once", BarrierSettings.atLeastOnce()));
    }

    private static BarrierSettings limited(BarrierSettings settings) {
        return new BarrierSettings(settings.mode(), settings.unaligned(), settings.alignmentTimeoutNs(), 60, 16);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settings")
    void shouldMakeSenseOfAnything(String name, BarrierSettings settings) {
        Long replayed = Long.getLong("weir.barrier.seed");
        long seed = replayed != null ? replayed : System.nanoTime();
        for (int run = 0; run < (replayed != null ? 1 : RUNS); run++) {
            try {
                new Chaos(new Random(seed + run), settings).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(name + ", seed " + (seed + run) + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Chaos {
        private final Random random;
        private final BarrierSettings settings;
        private final int inputs;
        private final int outputs;
        private final BarrierHandler handler;
        private final Set<Integer> blocked = new HashSet<>();
        private final Set<Integer> ended = new HashSet<>();
        private final Map<Integer, BarrierAction.Capture> captures = new TreeMap<>();
        private final Map<Long, Boolean> openChannelState = new TreeMap<>();
        private final Set<Long> over = new HashSet<>();
        private final Deque<Supplier<List<BarrierAction>>> answers = new ArrayDeque<>();
        private long lastSnapshotId = -1;
        private long position = 100;
        private long nowNs;

        Chaos(Random random, BarrierSettings settings) {
            this.random = random;
            this.settings = settings;
            this.inputs = random.nextInt(5);
            this.outputs = random.nextInt(3);
            this.handler = settings.handler(BarrierChannels.of(inputs, outputs));
        }

        void run() {
            for (int i = random.nextInt(80); i > 0; i--) {
                nowNs += random.nextInt(3);
                carryOut(anything());
                check();
            }
            settle();
        }

        private List<BarrierAction> anything() {
            long id = random.nextInt(MAX_ID);
            int channel = inputs == 0 ? -1 : random.nextInt(inputs);
            int output = random.nextInt(outputs + 1);
            int choice = random.nextInt(channel < 0 ? 7 : 15);
            return switch (choice) {
                case 0 -> handler.onAbort(id);
                case 1 -> handler.onTrigger(id, nowNs, options(), nowNs);
                case 2 -> handler.onTime(nowNs);
                case 3 -> handler.onBarrierSent(output, id, nowNs);
                case 4 -> handler.onOvertaken(output, id, random.nextInt(30), nowNs);
                case 5 -> failed(id);
                case 6 -> process();
                case 7 -> end(channel);
                case 8, 9 -> handler.onBarrier(channel, id, nowNs, options(), nowNs);
                case 10 -> handler.onAnnouncement(channel, id, nowNs, announced(), position, nowNs);
                case 11 -> handler.onCancellation(channel, id, nowNs);
                case 12 ->
                    random.nextBoolean()
                            ? handler.onBarrierAhead(channel, id, nowNs)
                            : handler.onCancellationAhead(channel, id, nowNs);
                case 13 -> handler.onEndOfDataAhead(channel, nowNs);
                default -> captured(channel, id);
            };
        }

        private List<BarrierAction> process() {
            handler.onProcessed(8);
            return List.of();
        }

        private List<BarrierAction> end(int channel) {
            if (random.nextInt(4) != 0) {
                return List.of();
            }
            ended.add(channel);
            return handler.onEndOfData(channel, nowNs);
        }

        private List<BarrierAction> captured(int channel, long id) {
            BarrierAction.Capture capture = captures.get(channel);
            if (capture == null) {
                return handler.onCaptured(channel, id, position, 8, nowNs);
            }
            long length = 1L + random.nextInt((int) (capture.endPosition() - capture.beginPosition()));
            return handler.onCaptured(channel, capture.checkpointId(), capture.beginPosition() + length, length, nowNs);
        }

        private int options() {
            int choice = random.nextInt(4);
            return choice == 0 ? settings.savepointOptions() : settings.checkpointOptions();
        }

        private int announced() {
            int options = random.nextBoolean() ? BarrierOptions.UNALIGNED : settings.checkpointOptions();
            position += random.nextInt(10);
            return random.nextBoolean() ? BarrierOptions.positionFixed(options) : options;
        }

        private void carryOut(List<BarrierAction> actions) {
            actions.forEach(this::carryOut);
            while (!answers.isEmpty()) {
                carryOut(answers.poll().get());
            }
        }

        private void carryOut(BarrierAction action) {
            if (action instanceof BarrierAction.Block block) {
                assertTrue(checked(block.channelIndex(), inputs) && blocked.add(block.channelIndex()), "blocked twice");
            } else if (action instanceof BarrierAction.Unblock unblock) {
                assertTrue(blocked.remove(unblock.channelIndex()), "unblocked though open");
            } else if (action instanceof BarrierAction.Snapshot snapshot) {
                snapshot(snapshot);
            } else if (action instanceof BarrierAction.Capture capture) {
                assertTrue(checked(capture.channelIndex(), inputs));
                assertTrue(openChannelState.containsKey(capture.checkpointId()), () -> "no snapshot for " + capture);
                long length = capture.endPosition() - capture.beginPosition();
                assertTrue(length > 0 && length <= settings.captureSliceLength(), capture::toString);
                captures.put(capture.channelIndex(), capture);
            } else if (action instanceof BarrierAction.StopCapture stop) {
                captures.remove(stop.channelIndex());
            } else if (action instanceof BarrierAction.Overtake overtake) {
                assertTrue(checked(overtake.outputIndex(), outputs));
                assertTrue(openChannelState.containsKey(overtake.checkpointId()), overtake::toString);
                answers.add(() -> handler.onOvertaken(overtake.outputIndex(), overtake.checkpointId(), 8, nowNs));
            } else if (action instanceof BarrierAction.ChannelStateClosed closed) {
                assertEquals(true, openChannelState.remove(closed.checkpointId()), closed::toString);
                captures.values().removeIf(capture -> capture.checkpointId() == closed.checkpointId());
                over.add(closed.checkpointId());
            } else if (action instanceof BarrierAction.Abort abort) {
                assertTrue(over.add(abort.checkpointId()), () -> "over already: " + abort);
                openChannelState.remove(abort.checkpointId());
            } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
                assertFalse(openChannelState.containsKey(cancellation.checkpointId()), cancellation::toString);
            }
        }

        private static boolean checked(int index, int count) {
            return index >= 0 && index < count;
        }

        private void snapshot(BarrierAction.Snapshot snapshot) {
            long id = snapshot.checkpointId();
            assertTrue(id > lastSnapshotId, () -> "snapshot " + id + " after " + lastSnapshotId);
            assertFalse(over.contains(id), () -> "over already: " + snapshot);
            lastSnapshotId = id;
            if (!settings.mayOvertake() || !BarrierOptions.mayOvertake(snapshot.options())) {
                over.add(id);
                return;
            }
            openChannelState.put(id, true);
            boolean fails = random.nextInt(10) == 0;
            answers.add(() ->
                    fails ? failed(id) : handler.onSnapshotTaken(id, channel -> position, random.nextInt(20), nowNs));
        }

        private List<BarrierAction> failed(long id) {
            if (openChannelState.remove(id) != null) {
                over.add(id);
            }
            return handler.onSnapshotFailed(id, nowNs);
        }

        private void check() {
            for (int channel = 0; channel < inputs; channel++) {
                assertEquals(blocked.contains(channel), handler.isBlocked(channel), "channel " + channel);
            }
            assertTrue(blocked.isEmpty() || handler.state() == BarrierState.ALIGNING, "blocked with nothing open");
            assertEquals(handler.hasOpenChannelState(), !openChannelState.isEmpty(), openChannelState::toString);
        }

        /** The barrier of one last checkpoint comes on every channel, and leaves by every output. */
        private void settle() {
            for (int channel = 0; channel < inputs; channel++) {
                carryOut(handler.onBarrier(channel, MAX_ID, nowNs, settings.savepointOptions(), nowNs));
            }
            carryOut(handler.onTrigger(MAX_ID, nowNs, settings.savepointOptions(), nowNs));
            carryOut(handler.onTime(nowNs + 1_000));
            for (long id : new ArrayList<>(openChannelState.keySet())) {
                for (int output = 0; output < outputs; output++) {
                    carryOut(handler.onBarrierSent(output, id, nowNs));
                }
            }
            check();
            assertTrue(blocked.isEmpty(), () -> "blocked at the end: " + blocked);
            assertTrue(openChannelState.isEmpty(), () -> "channel state open at the end: " + openChannelState);
            assertEquals(MAX_ID, lastSnapshotId);
            assertEquals(Long.MAX_VALUE, handler.deadlineNs());
            for (int channel = 0; channel < inputs; channel++) {
                assertEquals(Long.MAX_VALUE, handler.readLimit(channel));
            }
            assertEquals(
                    ended.size() == inputs ? BarrierState.NO_RUNNING_INPUTS : BarrierState.WAITING, handler.state());
        }
    }
}
