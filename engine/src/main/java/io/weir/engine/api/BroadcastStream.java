package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of which every subtask of the next operator gets all records, and the broadcast states they are kept in there. It is
 * connected to another one: {@link KeyedStream#connect}, {@link Stream#connect}.
 *
 * @param <T> type of the records.
 */
@SuppressWarnings("UnusedTypeParameter") // It ties the function of the connected stream to the type of the records.
public final class BroadcastStream<T> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final List<BroadcastStateDescriptor<?, ?>> states;

    BroadcastStream(
            final Pipeline pipeline, final List<Input> inputs, final List<BroadcastStateDescriptor<?, ?>> states) {
        this.pipeline = pipeline;
        this.inputs = inputs.stream().map(Input::broadcast).toList();
        this.states = states;
    }

    List<BroadcastStateDescriptor<?, ?>> states() {
        return states;
    }

    /** The inputs of an operator that takes another stream's records first and these second. */
    List<Input> behind(final Pipeline ofOthers, final List<Input> others) {
        if (ofOthers != pipeline) {
            throw new IllegalArgumentException("connect joins streams of one pipeline, but one is of '"
                    + ofOthers.name() + "' and one of '" + pipeline.name() + "'");
        }
        final List<Input> all = new ArrayList<>(others);
        all.addAll(inputs);
        return all;
    }
}
