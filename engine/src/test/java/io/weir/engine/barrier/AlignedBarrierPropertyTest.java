package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random tasks over random streams, read in random order. The model of a channel is a list of frames and a cursor; a cut is
 * right when every cursor stands right behind the barrier, or at the end, of its own stream.
 */
class AlignedBarrierPropertyTest {
    private static final int RUNS = 10_000;

    @Test
    void shouldCutEveryChannelAtItsBarrierWhateverTheOrder() {
        long seed = System.nanoTime();
        for (int run = 0; run < RUNS; run++) {
            long runSeed = seed + run;
            try {
                new Task(new Random(runSeed)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + runSeed, e);
            }
        }
    }

    private enum Kind {
        RECORD,
        BARRIER,
        CANCELLATION,
        END
    }

    private record Frame(Kind kind, long id) {}

    /** One task with its streams: ids up to {@code newestId}, whose barrier every stream that lives on delivers. */
    private static final class Task {
        private final Random random;
        private final int channels;
        private final int newestId;
        private final boolean allEnd;
        private final List<List<Frame>> streams = new ArrayList<>();
        private final int[] cursors;
        private final BitSet blocked = new BitSet();
        private final Set<Long> abortedByCoordinator = new HashSet<>();
        private final Set<Long> givenUp = new HashSet<>();
        private final BarrierHandler handler;
        private long lastForwardedId = -1;
        private long lastSnapshotId = -1;
        private long nowNs;
        private boolean triggered;

        Task(Random random) {
            this.random = random;
            this.channels = 1 + random.nextInt(5);
            this.newestId = 1 + random.nextInt(8);
            this.allEnd = random.nextInt(3) == 0;
            this.cursors = new int[channels];
            this.handler = BarrierSettings.aligned().handler(BarrierChannels.of(channels, 0));
            int surviving = random.nextInt(channels);
            for (int channel = 0; channel < channels; channel++) {
                boolean mayEndEarly = channel != surviving && random.nextInt(4) == 0;
                streams.add(stream(mayEndEarly ? random.nextInt(newestId) : newestId));
            }
        }

        private List<Frame> stream(long lastId) {
            List<Frame> frames = new ArrayList<>();
            for (long id = 0; id <= lastId; id++) {
                for (int records = random.nextInt(3); records > 0; records--) {
                    frames.add(new Frame(Kind.RECORD, 0));
                }
                int choice = id == newestId ? 0 : random.nextInt(10);
                if (choice < 8) {
                    frames.add(new Frame(Kind.BARRIER, id));
                } else if (choice == 8) {
                    frames.add(new Frame(Kind.CANCELLATION, id));
                }
            }
            frames.add(new Frame(Kind.RECORD, 0));
            if (allEnd || lastId < newestId) {
                frames.add(new Frame(Kind.END, 0));
            }
            return frames;
        }

        void run() {
            while (hasMore()) {
                nowNs++;
                int choice = random.nextInt(20);
                if (choice == 0 && newestId > 1) {
                    long id = random.nextInt(newestId);
                    abortedByCoordinator.add(id);
                    perform(handler.onAbort(id));
                } else if (choice == 1 && allEnd && !triggered) {
                    trigger();
                } else {
                    readOne();
                }
            }
            if (allEnd && !triggered) {
                trigger();
            }

            assertEquals(newestId + (allEnd ? 1 : 0), lastSnapshotId, "the newest checkpoint is taken");
            assertNotEquals(BarrierState.ALIGNING, handler.state());
            assertTrue(blocked.isEmpty(), () -> "blocked at the end: " + blocked);
        }

        private boolean hasMore() {
            boolean more = false;
            boolean readable = false;
            for (int channel = 0; channel < channels; channel++) {
                boolean unread = cursors[channel] < streams.get(channel).size();
                more |= unread;
                readable |= unread && !blocked.get(channel);
            }
            assertTrue(readable || !more, () -> "all that is left is blocked: " + blocked);
            return more;
        }

        private void trigger() {
            triggered = true;
            perform(handler.onTrigger(newestId + 1, 0, 0, nowNs));
        }

        private void readOne() {
            int channel = random.nextInt(channels);
            if (blocked.get(channel) || cursors[channel] == streams.get(channel).size()) {
                return;
            }
            Frame frame = streams.get(channel).get(cursors[channel]++);
            switch (frame.kind()) {
                case RECORD -> assertFalse(handler.isBlocked(channel), "a record of a blocked channel");
                case BARRIER -> perform(handler.onBarrier(channel, frame.id(), 0, 0, nowNs));
                case CANCELLATION -> perform(handler.onCancellation(channel, frame.id(), nowNs));
                case END -> perform(handler.onEndOfData(channel, nowNs));
            }
        }

        private void perform(List<BarrierAction> actions) {
            for (BarrierAction action : actions) {
                if (action instanceof BarrierAction.Block block) {
                    assertFalse(blocked.get(block.channelIndex()), "blocked twice");
                    blocked.set(block.channelIndex());
                } else if (action instanceof BarrierAction.Unblock unblock) {
                    assertTrue(blocked.get(unblock.channelIndex()), "unblocked though open");
                    blocked.clear(unblock.channelIndex());
                } else if (action instanceof BarrierAction.Snapshot snapshot) {
                    cut(snapshot.checkpointId());
                } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
                    forward(cancellation.checkpointId());
                } else if (action instanceof BarrierAction.Abort abort) {
                    assertTrue(givenUp.add(abort.checkpointId()), () -> "given up twice: " + abort);
                    assertTrue(
                            abort.reason() != AbortReason.COORDINATOR
                                    || abortedByCoordinator.contains(abort.checkpointId()),
                            () -> "nobody asked for " + abort);
                }
            }
            for (int channel = 0; channel < channels; channel++) {
                assertEquals(blocked.get(channel), handler.isBlocked(channel), "channel " + channel);
            }
            assertTrue(handler.state() == BarrierState.ALIGNING || blocked.isEmpty(), "blocked with nothing open");
        }

        private void cut(long id) {
            forward(id);
            assertFalse(givenUp.contains(id), () -> "snapshot of " + id + ", which was given up");
            lastSnapshotId = id;
            for (int channel = 0; channel < channels; channel++) {
                List<Frame> stream = streams.get(channel);
                Frame last = cursors[channel] == 0 ? null : stream.get(cursors[channel] - 1);
                boolean atEnd = last != null && last.kind() == Kind.END;
                assertTrue(
                        atEnd || new Frame(Kind.BARRIER, id).equals(last),
                        "snapshot of " + id + " with channel " + channel + " behind " + last);
            }
        }

        private void forward(long id) {
            assertTrue(id > lastForwardedId, () -> id + " forwarded after " + lastForwardedId);
            lastForwardedId = id;
        }
    }
}
