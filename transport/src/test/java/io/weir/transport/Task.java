package io.weir.transport;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.YieldingIdleStrategy;

/** One downstream task with its upstream channels on a transport, driven by one thread as a worker does it. */
public final class Task implements AutoCloseable {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Transport transport;
    private final int attempt;
    private final int[] streamIds;
    private final int controlStreamId;
    private final OutputChannel[] outputs;
    private InputGate gate;

    private Task(final Transport transport, final int attempt, final int channelCount) {
        this.transport = transport;
        this.attempt = attempt;
        streamIds = new int[channelCount];
        for (int i = 0; i < channelCount; i++) {
            streamIds[i] = transport.nextStreamId();
        }
        controlStreamId = transport.nextStreamId();
        outputs = new OutputChannel[channelCount];
    }

    /** Gate first, then the outputs. */
    public static Task open(final Transport transport, final int channelCount) {
        final Task task = new Task(transport, 1, channelCount);
        task.openGate();
        for (int i = 0; i < channelCount; i++) {
            task.openOutput(i);
        }
        return task;
    }

    public static Task unopened(final Transport transport, final int channelCount) {
        return new Task(transport, 1, channelCount);
    }

    public InputGate openGate() {
        gate = transport.openGate(attempt, "reader", streamIds, controlStreamId);
        return gate;
    }

    public OutputChannel openOutput(final int channelIndex) {
        outputs[channelIndex] = openOutput(attempt, channelIndex, channelIndex);
        return outputs[channelIndex];
    }

    public OutputChannel openOutput(final int attempt, final int streamIndex, final int channelIndex) {
        return transport.openOutput(
                attempt,
                "writer " + channelIndex,
                streamIds[streamIndex],
                controlStreamId,
                channelIndex,
                transport.bufferLength(1));
    }

    public InputGate gate() {
        return gate;
    }

    public OutputChannel output(final int channelIndex) {
        return outputs[channelIndex];
    }

    public int streamId(final int channelIndex) {
        return streamIds[channelIndex];
    }

    public int controlStreamId() {
        return controlStreamId;
    }

    /** Runs until a condition holds, as a stalled worker does: pumping. */
    public void await(final String what, final BooleanSupplier condition) {
        await(transport, () -> what, condition);
    }

    public static void await(final Transport transport, final Supplier<String> what, final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean()) {
            transport.pump();
            YieldingIdleStrategy.INSTANCE.idle();
            if (System.nanoTime() - deadlineNs > 0) {
                fail("awaited in vain: " + what.get());
            }
        }
    }

    /** Offers until it is taken. */
    public long send(final LongSupplier offer) {
        final long[] result = new long[1];
        await("room for an offer", () -> {
            result[0] = offer.getAsLong();
            return result[0] != OutputChannel.BACK_PRESSURED;
        });
        return result[0];
    }

    /** Offers until it is taken, and reads data and control while there is no room. */
    public long send(final LongSupplier offer, final Recorder recorder) {
        return send(() -> {
            final long result = offer.getAsLong();
            if (result == OutputChannel.BACK_PRESSURED) {
                gate.poll(recorder, Integer.MAX_VALUE);
                gate.pollControl(recorder);
            }
            return result;
        });
    }

    /** Polls until the recorder has so many lines. */
    public void receive(final Recorder recorder, final int lines) {
        await(transport, () -> lines + " lines, have " + recorder.lines(), () -> {
            gate.poll(recorder, Integer.MAX_VALUE);
            return recorder.lines().size() >= lines;
        });
    }

    /** Polls until it fails, and gives the error. */
    public TransportException receiveFailure(final Recorder recorder) {
        final TransportException[] failure = new TransportException[1];
        await("a failure", () -> {
            try {
                gate.poll(recorder, Integer.MAX_VALUE);
                gate.pollControl(recorder);
            } catch (final TransportException e) {
                failure[0] = e;
            }
            return failure[0] != null;
        });
        return failure[0];
    }

    @Override
    public void close() {
        for (final OutputChannel output : outputs) {
            if (output != null) {
                output.close();
            }
        }
        if (gate != null) {
            gate.close();
        }
    }
}
