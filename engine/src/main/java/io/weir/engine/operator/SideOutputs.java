package io.weir.engine.operator;

import io.weir.engine.api.OutputTag;
import java.util.HashMap;
import java.util.Map;

/** The side outputs of an operator by tag, looked up once each. Task thread only. */
final class SideOutputs {
    private final OperatorContext context;
    private final Map<String, Receiver<?>> byName = new HashMap<>();

    SideOutputs(final OperatorContext context) {
        this.context = context;
    }

    @SuppressWarnings("unchecked") // A tag's name stands for one type within an operator.
    <S> Receiver<S> get(final OutputTag<S> tag) {
        Receiver<?> output = byName.get(tag.name());
        if (output == null) {
            output = context.sideOutput(tag);
            byName.put(tag.name(), output);
        }
        return (Receiver<S>) output;
    }
}
