package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Transform;
import java.util.List;
import java.util.Objects;

/**
 * A stream and a broadcast stream that meet in one operator.
 *
 * @param <T> type of the stream's records.
 * @param <B> type of the broadcast records.
 */
public final class BroadcastConnectedStream<T, B> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final List<BroadcastStateDescriptor<?, ?>> states;

    BroadcastConnectedStream(final Pipeline pipeline, final List<Input> inputs, final BroadcastStream<B> broadcast) {
        this.pipeline = pipeline;
        this.inputs = broadcast.behind(pipeline, inputs);
        this.states = broadcast.states();
    }

    /**
     * Processes the records of both.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> process(final BroadcastProcessFunction<? super T, ? super B, R> function) {
        Objects.requireNonNull(function, "function");
        return pipeline.add(new Transform.BroadcastProcess(states, function), inputs);
    }
}
