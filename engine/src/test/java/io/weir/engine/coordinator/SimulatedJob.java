package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.barrier.BarrierAction;
import io.weir.engine.barrier.BarrierChannels;
import io.weir.engine.barrier.BarrierHandler;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.engine.barrier.BarrierSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A whole job on one thread: a coordinator, tasks with real barrier handlers, channels and messages that arrive in order
 * but whenever the seed pleases. A task's state is how much it read from each channel and wrote to each, so that a
 * checkpoint is right when every channel's two ends agree.
 */
final class SimulatedJob {
    private static final long MAX_STEPS = 200_000;

    private final Random random;
    private final CheckpointCoordinator coordinator;
    private final List<SimulatedTask> tasks = new ArrayList<>();
    private final Map<Long, Map<Integer, Map<Link, Integer>>> states = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private final Deque<Long> deletions = new ArrayDeque<>();
    private final TreeSet<Long> retained = new TreeSet<>();
    private final int retain;
    private final int faultsIn1000;
    private final long newestIdWithFaults;
    private long storing = CheckpointHistory.NO_CHECKPOINT;
    private long nowNs;

    private record Link(int sender, int receiver) {}

    private record Frame(char kind, long checkpointId) {}

    SimulatedJob(Random random) {
        this.random = random;
        int taskCount = 1 + random.nextInt(7);
        List<TaskTopology.Channel> channels = new ArrayList<>();
        for (int task = 0; task < taskCount; task++) {
            tasks.add(new SimulatedTask(task));
            for (int sender = 0; sender < task; sender++) {
                if (random.nextInt(3) == 0) {
                    channels.add(new TaskTopology.Channel(sender, task));
                    tasks.get(sender).outputs.put(new Link(sender, task), tasks.get(task));
                    tasks.get(task).inputs.put(new Link(sender, task), new ArrayDeque<>());
                }
            }
        }
        retain = 1 + random.nextInt(2);
        faultsIn1000 = random.nextInt(3) * 5;
        newestIdWithFaults = 15;
        CheckpointSettings settings = new CheckpointSettings(
                20 + random.nextInt(200), 5_000, random.nextInt(2) * 50L, 1 + random.nextInt(3), 1_000_000, retain);
        coordinator =
                new CheckpointCoordinator(settings, new TaskTopology(taskCount, channels), CheckpointHistory.none(), 0);
        tasks.forEach(SimulatedTask::open);
    }

    /** Runs until every task has finished, which takes a final checkpoint for those that wait for one. */
    void run() {
        perform(coordinator.onRunning(nowNs));
        long steps = 0;
        while (tasks.stream().anyMatch(task -> !task.isOver())) {
            assertTrue(
                    steps++ < MAX_STEPS,
                    () -> "no end: " + coordinator.state() + " pending " + coordinator.pendingCount()
                            + " next deadline in " + (coordinator.nextDeadlineNs() - nowNs));
            nowNs++;
            step();
        }
        assertTrue(retained.size() <= retain, () -> "retained " + retained);
    }

    private void step() {
        int choice = random.nextInt(10);
        if (choice == 0) {
            if (nowNs >= coordinator.nextDeadlineNs()) {
                perform(coordinator.onTick(nowNs));
            }
        } else if (choice == 1) {
            answerStore();
            if (deletions.poll() != null) {
                perform(coordinator.onDeleted(nowNs));
            }
        } else if (choice == 2 && random.nextInt(50) == 0) {
            perform(coordinator.onTriggerRequested(CheckpointCoordinator.NO_REPLY, nowNs));
        } else {
            tasks.get(random.nextInt(tasks.size())).step();
        }
    }

    private void answerStore() {
        if (storing != CheckpointHistory.NO_CHECKPOINT) {
            long checkpointId = storing;
            storing = CheckpointHistory.NO_CHECKPOINT;
            perform(
                    isFaulty(checkpointId)
                            ? coordinator.onStoreFailed(checkpointId, CheckpointFailureReason.STORE_FAILED, nowNs)
                            : coordinator.onStored(checkpointId, nowNs));
        }
    }

    private boolean isFaulty(long checkpointId) {
        return checkpointId <= newestIdWithFaults && random.nextInt(1_000) < faultsIn1000 * 10;
    }

    private void perform(List<CoordinatorAction> actions) {
        for (CoordinatorAction action : actions) {
            if (action instanceof CoordinatorAction.TriggerTask trigger) {
                tasks.get(trigger.task()).messages.add(trigger);
            } else if (action instanceof CoordinatorAction.Store store) {
                assertEquals(CheckpointHistory.NO_CHECKPOINT, storing, "two stores at a time");
                storing = store.checkpointId();
                checkCut(store.checkpointId());
            } else if (action instanceof CoordinatorAction.Complete complete) {
                end(complete.checkpointId());
                assertTrue(retained.isEmpty() || retained.last() < complete.checkpointId(), "ids complete in order");
                retained.add(complete.checkpointId());
                tasks.forEach(task -> task.messages.add(complete));
            } else if (action instanceof CoordinatorAction.AbortCheckpoint abort) {
                end(abort.checkpointId());
                tasks.forEach(task -> task.messages.add(abort));
            } else if (action instanceof CoordinatorAction.Drop drop) {
                assertTrue(retained.size() > retain && retained.remove(drop.checkpointId()), "drop of " + drop);
                deletions.add(drop.checkpointId());
            } else if (action instanceof CoordinatorAction.Discard discard) {
                assertFalse(retained.contains(discard.checkpointId()), "discard of a completed one");
                deletions.add(discard.checkpointId());
            } else if (action instanceof CoordinatorAction.DiscardLate late) {
                assertFalse(retained.contains(late.checkpointId()), "discard of a completed one");
                deletions.add(late.checkpointId());
            } else {
                throw new AssertionError("not asked for: " + action);
            }
        }
    }

    private void end(long checkpointId) {
        assertTrue(ended.add(checkpointId), () -> "checkpoint " + checkpointId + " ended twice");
    }

    private void checkCut(long checkpointId) {
        for (SimulatedTask sender : tasks) {
            for (Map.Entry<Link, SimulatedTask> output : sender.outputs.entrySet()) {
                assertEquals(
                        stateOf(sender, checkpointId).get(output.getKey()),
                        stateOf(output.getValue(), checkpointId).get(output.getKey()),
                        () -> "checkpoint " + checkpointId + " cuts " + output.getKey() + " at two places");
            }
        }
    }

    private Map<Link, Integer> stateOf(SimulatedTask task, long checkpointId) {
        Map<Link, Integer> state = states.getOrDefault(checkpointId, Map.of()).get(task.index);
        if (state != null) {
            return state;
        }
        assertTrue(task.finished, () -> "checkpoint " + checkpointId + " lacks running task " + task.index);
        return task.counts;
    }

    private final class SimulatedTask {
        final int index;
        final Map<Link, SimulatedTask> outputs = new LinkedHashMap<>();
        final Map<Link, Deque<Frame>> inputs = new LinkedHashMap<>();
        final Map<Link, Integer> counts = new HashMap<>();
        final Deque<CoordinatorAction> messages = new ArrayDeque<>();
        final Deque<Runnable> reports = new ArrayDeque<>();
        final boolean awaitsFinal = random.nextBoolean();
        BarrierHandler handler;
        int recordsToEmit = random.nextInt(60);
        long lastSnapshotId = CheckpointHistory.NO_CHECKPOINT;
        long firstFinalId = CheckpointHistory.NO_CHECKPOINT;
        boolean dataEnded;
        boolean finished;

        SimulatedTask(int index) {
            this.index = index;
        }

        void open() {
            handler = BarrierSettings.aligned().handler(BarrierChannels.of(inputs.size(), 0));
            inputs.keySet().forEach(link -> counts.put(link, 0));
            outputs.keySet().forEach(link -> counts.put(link, 0));
        }

        boolean isOver() {
            return finished && reports.isEmpty();
        }

        /** One of: report to the coordinator, hear a message, read a frame, emit or end. */
        void step() {
            int choice = random.nextInt(4);
            if (choice == 0 && !reports.isEmpty()) {
                reports.poll().run();
            } else if (choice == 1 && !messages.isEmpty()) {
                hear(messages.poll());
            } else if (!finished && choice == 2 && !inputs.isEmpty()) {
                read(random.nextInt(inputs.size()));
            } else if (!finished && choice == 3 && !handler.hasRunningInputs()) {
                emitOrEnd();
            }
        }

        private void emitOrEnd() {
            if (recordsToEmit > 0 && inputs.isEmpty()) {
                recordsToEmit--;
                emit();
            } else if (!dataEnded) {
                dataEnded = true;
                firstFinalId = lastSnapshotId + 1;
                outputs.forEach((link, receiver) -> receiver.inputs.get(link).add(new Frame('E', 0)));
                if (awaitsFinal) {
                    reports.add(() -> perform(coordinator.onTaskAwaitsFinalCheckpoint(index, 0, nowNs)));
                } else {
                    finish();
                }
            }
        }

        private void emit() {
            for (Map.Entry<Link, SimulatedTask> output : outputs.entrySet()) {
                if (random.nextBoolean()) {
                    counts.merge(output.getKey(), 1, Integer::sum);
                    output.getValue().inputs.get(output.getKey()).add(new Frame('d', 0));
                }
            }
        }

        private void finish() {
            finished = true;
            reports.add(() -> perform(coordinator.onTaskFinished(index, 0, nowNs)));
        }

        private void hear(CoordinatorAction message) {
            if (finished) {
                return;
            }
            if (message instanceof CoordinatorAction.TriggerTask trigger) {
                act(handler.onTrigger(trigger.checkpointId(), trigger.triggerTimeNs(), BarrierOptions.ALIGNED, nowNs));
            } else if (message instanceof CoordinatorAction.AbortCheckpoint abort) {
                act(handler.onAbort(abort.checkpointId()));
            } else if (message instanceof CoordinatorAction.Complete complete
                    && dataEnded
                    && complete.checkpointId() >= firstFinalId) {
                finish();
            }
        }

        private void read(int channel) {
            Link link = List.copyOf(inputs.keySet()).get(channel);
            if (handler.isBlocked(channel) || inputs.get(link).isEmpty()) {
                return;
            }
            Frame frame = inputs.get(link).poll();
            switch (frame.kind()) {
                case 'B' -> act(handler.onBarrier(channel, frame.checkpointId(), 0, 0, nowNs));
                case 'X' -> act(handler.onCancellation(channel, frame.checkpointId(), nowNs));
                case 'E' -> act(handler.onEndOfData(channel, nowNs));
                default -> {
                    counts.merge(link, 1, Integer::sum);
                    emit();
                }
            }
        }

        private void act(List<BarrierAction> actions) {
            for (BarrierAction action : actions) {
                if (action instanceof BarrierAction.Snapshot snapshot) {
                    snapshot(snapshot.checkpointId());
                } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
                    sendEvent(new Frame('X', cancellation.checkpointId()));
                } else if (action instanceof BarrierAction.Abort abort) {
                    decline(abort);
                }
            }
        }

        private void snapshot(long checkpointId) {
            lastSnapshotId = checkpointId;
            sendEvent(new Frame('B', checkpointId));
            if (isFaulty(checkpointId)) {
                reports.add(() -> perform(
                        coordinator.onDecline(index, 0, checkpointId, CheckpointFailureReason.SNAPSHOT_FAILED, nowNs)));
                return;
            }
            Map<Link, Integer> state = Map.copyOf(counts);
            assertNotNull(state);
            reports.add(() -> {
                states.computeIfAbsent(checkpointId, id -> new HashMap<>()).put(index, state);
                perform(coordinator.onAcknowledge(index, 0, checkpointId, nowNs));
            });
        }

        private void decline(BarrierAction.Abort abort) {
            CheckpointFailureReason reason = switch (abort.reason()) {
                case SUBSUMED -> CheckpointFailureReason.SUBSUMED;
                case CANCELLATION -> CheckpointFailureReason.CANCELLED_UPSTREAM;
                case CHANNEL_STATE_LIMIT -> throw new AssertionError("aligned barriers leave no channel state");
                case COORDINATOR -> null;
            };
            if (reason != null) {
                reports.add(() -> perform(coordinator.onDecline(index, 0, abort.checkpointId(), reason, nowNs)));
            }
        }

        private void sendEvent(Frame frame) {
            if (!dataEnded) {
                outputs.forEach((link, receiver) -> receiver.inputs.get(link).add(frame));
            }
        }
    }
}
