package io.weir.engine.graph;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.FlatMapFunction;
import io.weir.engine.api.KeyFunction;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.WindowFunction;
import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import java.util.function.Function;

/** Finds the codecs of streams, keys and accumulators: what the user gave, else what the function's type tells. */
final class StepCodecs {
    private final Function<Step, String> label;

    /** @param label names a step in errors. */
    StepCodecs(final Function<Step, String> label) {
        this.label = label;
    }

    /** The codec of what an input carries; of a sink's own where the stream's cannot be known. */
    Codec<?> ofEdge(final Input input, final Step to) {
        if (input.tag() != null) {
            return input.tag().codec();
        }
        final Found found = output(input.from());
        if (found.codec != null) {
            return found.codec;
        }
        if (to.transform() instanceof Transform.Write write) {
            return write.codec();
        }
        throw new PlanException(label.apply(input.from()) + ": the codec of its output cannot be inferred ("
                + found.reason + "), but " + label.apply(to) + " runs in other tasks: call .codec(...) behind "
                + input.from().name());
    }

    /** The codec of a step's keys. */
    Codec<?> ofKey(final Keying.ByObject keying, final Step step) {
        if (keying.codec() != null) {
            return keying.codec();
        }
        final Found found = find(keying.function(), KeyFunction.class, 1, true);
        if (found.codec == null) {
            throw new PlanException(label.apply(step) + ": the codec of its keys cannot be inferred (" + found.reason
                    + "): call keyBy(function, codec)");
        }
        return found.codec;
    }

    /** The codec of a window's accumulators. */
    Codec<?> ofAccumulator(final Transform.WindowAggregate aggregate, final Step step) {
        if (aggregate.accumulatorCodec() != null) {
            return aggregate.accumulatorCodec();
        }
        final Found found = find(aggregate.function(), AggregateFunction.class, 1, false);
        if (found.codec == null) {
            throw new PlanException(label.apply(step) + ": the codec of its accumulators cannot be inferred ("
                    + found.reason + "): call aggregate(function, codec)");
        }
        return found.codec;
    }

    private Found output(final Step step) {
        if (step.codec() != null) {
            return new Found(step.codec(), null);
        }
        final Transform transform = step.transform();
        if (transform instanceof Transform.Read read) {
            return new Found(read.codec(), null);
        }
        if (transform instanceof Transform.Map map) {
            return find(map.function(), MapFunction.class, 1, true);
        }
        if (transform instanceof Transform.FlatMap flatMap) {
            return find(flatMap.function(), FlatMapFunction.class, 1, false);
        }
        if (transform instanceof Transform.ProcessEach process) {
            return find(process.function(), ProcessFunction.class, 1, false);
        }
        if (transform instanceof Transform.KeyedProcess process) {
            return find(process.function(), KeyedProcessFunction.class, 2, false);
        }
        if (transform instanceof Transform.BroadcastProcess process) {
            return find(process.function(), BroadcastProcessFunction.class, 2, false);
        }
        if (transform instanceof Transform.KeyedBroadcastProcess process) {
            return find(process.function(), KeyedBroadcastProcessFunction.class, 3, false);
        }
        if (transform instanceof Transform.WindowAggregate aggregate) {
            return aggregate.windowFunction() == null
                    ? find(aggregate.function(), AggregateFunction.class, 2, false)
                    : find(aggregate.windowFunction(), WindowFunction.class, 2, true);
        }
        return ofInputs(step);
    }

    /** Steps that hand on what they take. */
    private Found ofInputs(final Step step) {
        Found found = new Found(null, "it has no input");
        for (final Input input : step.inputs()) {
            found = input.tag() != null ? new Found(input.tag().codec(), null) : output(input.from());
            if (found.codec != null) {
                return found;
            }
        }
        return found;
    }

    private static Found find(
            final Object function, final Class<?> functionInterface, final int parameter, final boolean returned) {
        final Class<?> type = FunctionTypes.argument(function, functionInterface, parameter, returned);
        if (type == null) {
            return new Found(null, "its type cannot be seen in the function");
        }
        try {
            final Codec<?> codec = Codecs.find(type);
            return new Found(codec, codec == null ? "there is none for " + type.getName() : null);
        } catch (final IllegalArgumentException e) {
            return new Found(null, e.getMessage());
        }
    }

    private record Found(Codec<?> codec, String reason) {}
}
