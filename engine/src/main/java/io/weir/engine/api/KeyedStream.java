package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Transform;
import java.util.List;
import java.util.Objects;

/**
 * A stream grouped by key: all records of a key meet the same subtask of the next operator, in the order of their sender.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 */
public final class KeyedStream<K, T> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final Keying keying;

    KeyedStream(final Pipeline pipeline, final List<Input> inputs, final Keying keying) {
        this.pipeline = pipeline;
        this.inputs = inputs;
        this.keying = keying;
    }

    /**
     * Processes each record with state and timers by key.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> process(final KeyedProcessFunction<K, ? super T, R> function) {
        return pipeline.add(new Transform.KeyedProcess(keying, Objects.requireNonNull(function, "function")), inputs);
    }

    /**
     * Lets each record meet what a broadcast stream has brought.
     *
     * @param broadcast of which every subtask gets all records.
     * @param <B> type of its records.
     * @return both, to be processed.
     */
    public <B> KeyedBroadcastConnectedStream<K, T, B> connect(final BroadcastStream<B> broadcast) {
        return new KeyedBroadcastConnectedStream<>(pipeline, inputs, keying, broadcast);
    }

    /**
     * Keeps the first record of each key, for ever.
     *
     * @return the stream of the first records.
     */
    public Stream<T> distinct() {
        return pipeline.add(new Transform.Distinct(keying), inputs);
    }

    /**
     * Gathers the records of each key in windows of event time.
     *
     * @param windows which ones.
     * @return the windows, to be aggregated.
     */
    public WindowedStream<K, T> window(final Tumbling windows) {
        return new WindowedStream<>(pipeline, inputs, keying, Objects.requireNonNull(windows, "windows"), null);
    }
}
