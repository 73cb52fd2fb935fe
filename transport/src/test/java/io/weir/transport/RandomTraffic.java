package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Random records, events, blocks and stops from a seed. The model is one queue of lines per channel: whatever the gate
 * delivers must be the head of its channel's queue.
 */
final class RandomTraffic {
    private static final int CHANNELS = 3;

    private final long seed;
    private final Random random;
    private final Transport transport;
    private final Task task;
    private final Recorder recorder = new Recorder();
    private final Feed feed = new Feed();
    private final List<Deque<String>> model = new ArrayList<>();
    private final boolean[] isBlocked = new boolean[CHANNELS];
    private final CapturedRecords[] captures = new CapturedRecords[CHANNELS];
    private long sent;
    private long received;

    RandomTraffic(final Transport transport, final long seed) {
        this.seed = seed;
        random = new Random(seed);
        this.transport = transport;
        task = Task.open(transport, CHANNELS);
        for (int i = 0; i < CHANNELS; i++) {
            model.add(new ArrayDeque<>());
        }
    }

    void run(final int steps) {
        try (task) {
            for (int i = 0; i < steps; i++) {
                step();
            }
            for (int i = 0; i < CHANNELS; i++) {
                task.gate().unblock(i);
                isBlocked[i] = false;
                while (captures[i] != null) {
                    capture(i, Long.MAX_VALUE);
                }
            }
            task.await("all of seed " + seed, () -> {
                recorder.stopAfter(Integer.MAX_VALUE);
                task.gate().poll(recorder, Integer.MAX_VALUE);
                check();
                return received == sent;
            });
        }
    }

    private void step() {
        final int channelIndex = random.nextInt(CHANNELS);
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> offerBatch(channelIndex);
            case 3 -> offerEvent(channelIndex);
            case 4 -> flip(channelIndex);
            case 5, 6 -> {
                recorder.stopAfter(1 + random.nextInt(40));
                task.gate().poll(recorder, 1 + random.nextInt(60));
                check();
            }
            case 7 -> capture(channelIndex, 1 + random.nextInt(2_000));
            default -> transport.pump();
        }
    }

    /** Captures a slice of what was in flight on the channel when its capture began. */
    private void capture(final int channelIndex, final long sliceLength) {
        CapturedRecords capture = captures[channelIndex];
        if (capture == null) {
            final List<String> inFlight = model.get(channelIndex).stream()
                    .filter(line -> line.contains("record"))
                    .toList();
            capture = new CapturedRecords(inFlight, task.output(channelIndex).position());
            task.gate().startCapture(channelIndex);
            captures[channelIndex] = capture;
        }
        final long from = Math.max(capture.position(), task.gate().cursor(channelIndex));
        final long end = sliceLength > capture.end() - from ? capture.end() : from + sliceLength;
        capture.position(task.gate().capture(channelIndex, end, capture));
        if (capture.isDone(task.gate().cursor(channelIndex))) {
            task.gate().stopCapture(channelIndex);
            captures[channelIndex] = null;
            assertEquals(capture.expected(), capture.lines(), "captured, seed " + seed);
        }
    }

    private void offerBatch(final int channelIndex) {
        final OutputChannel output = task.output(channelIndex);
        final List<String> lines = new ArrayList<>();
        feed.clear();
        final int records = 1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 5);
        for (int i = 0; i < records; i++) {
            final int length = random.nextInt(random.nextInt(10) == 0 ? 2_000 : 50);
            if (feed.length() + length + 32 > output.maxBatchLength()) {
                break;
            }
            final long timestampNs = random.nextInt(1_000_000);
            final boolean isBehind = random.nextInt(5) == 0;
            feed.add(timestampNs, isBehind ? i : InputHandler.NO_SOURCE_WATERMARK, length);
            lines.add(Recorder.record(channelIndex, timestampNs, length) + (isBehind ? " behind " + i : ""));
        }
        if (!lines.isEmpty()) {
            note(channelIndex, feed.offerBatch(output), lines);
        }
    }

    private void offerEvent(final int channelIndex) {
        final OutputChannel output = task.output(channelIndex);
        final long id = random.nextLong();
        switch (random.nextInt(4)) {
            case 0 -> note(channelIndex, output.offerWatermark(id), List.of(channelIndex + " watermark " + id));
            case 1 -> note(channelIndex, output.offerIdle(), List.of(channelIndex + " idle"));
            case 2 ->
                note(
                        channelIndex,
                        output.offerBarrier(id, id + 1, (int) id),
                        List.of(channelIndex + " barrier " + id + " at " + (id + 1) + " with " + (int) id));
            default -> note(channelIndex, output.offerCancellation(id), List.of(channelIndex + " cancellation " + id));
        }
    }

    private void note(final int channelIndex, final long result, final List<String> lines) {
        if (result != OutputChannel.BACK_PRESSURED) {
            assertEquals(result, task.output(channelIndex).position(), "position, seed " + seed);
            model.get(channelIndex).addAll(lines);
            sent += lines.size();
        }
    }

    private void flip(final int channelIndex) {
        isBlocked[channelIndex] = !isBlocked[channelIndex];
        if (isBlocked[channelIndex]) {
            task.gate().block(channelIndex);
        } else {
            task.gate().unblock(channelIndex);
        }
    }

    private void check() {
        for (final String line : recorder.take()) {
            final int channelIndex = line.charAt(0) - '0';
            assertFalse(isBlocked[channelIndex], "delivered from a blocked channel, seed " + seed);
            assertEquals(model.get(channelIndex).poll(), line, "seed " + seed);
            if (captures[channelIndex] != null && line.contains("record")) {
                captures[channelIndex].delivered(line, seed);
            }
            received++;
        }
    }
}
