package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Transform;
import java.util.List;
import java.util.Objects;

/**
 * A keyed stream and a broadcast stream that meet in one operator.
 *
 * @param <K> type of the keys.
 * @param <T> type of the keyed records.
 * @param <B> type of the broadcast records.
 */
public final class KeyedBroadcastConnectedStream<K, T, B> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final Keying keying;
    private final List<BroadcastStateDescriptor<?, ?>> states;

    KeyedBroadcastConnectedStream(
            final Pipeline pipeline,
            final List<Input> inputs,
            final Keying keying,
            final BroadcastStream<B> broadcast) {
        this.pipeline = pipeline;
        this.inputs = broadcast.behind(pipeline, inputs);
        this.keying = keying;
        this.states = broadcast.states();
    }

    /**
     * Processes the records of both, with state and timers by key for those of the keyed stream.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> process(final KeyedBroadcastProcessFunction<K, ? super T, ? super B, R> function) {
        Objects.requireNonNull(function, "function");
        return pipeline.add(new Transform.KeyedBroadcastProcess(keying, states, function), inputs);
    }
}
