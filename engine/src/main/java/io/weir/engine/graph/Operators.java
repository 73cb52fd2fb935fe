package io.weir.engine.graph;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.FilterFunction;
import io.weir.engine.api.FlatMapFunction;
import io.weir.engine.api.KeyFunction;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.ToLongFunction;
import io.weir.engine.api.WindowFunction;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import io.weir.engine.operator.BroadcastProcessOperator;
import io.weir.engine.operator.DistinctOperator;
import io.weir.engine.operator.EventTimeOperator;
import io.weir.engine.operator.FilterOperator;
import io.weir.engine.operator.FlatMapOperator;
import io.weir.engine.operator.KeyExtractor;
import io.weir.engine.operator.KeyExtractors;
import io.weir.engine.operator.KeyedBroadcastProcessOperator;
import io.weir.engine.operator.KeyedProcessOperator;
import io.weir.engine.operator.MapOperator;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.ProcessOperator;
import io.weir.engine.operator.WindowAggregateOperator;
import io.weir.engine.sink.TransactionalSink;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Makes the operators of steps: each call of a supplier gives an operator with functions and codecs of its own. Types are
 * unchecked here: the pipeline's faces have connected only what fits.
 */
@SuppressWarnings("unchecked")
final class Operators {
    private final StepCodecs codecs;

    Operators(final StepCodecs codecs) {
        this.codecs = codecs;
    }

    /** The operator of a step that is no source. Everything that can fail has failed before this returns. */
    Supplier<Operator<?>> of(final Step step, final String label) {
        final Transform transform = step.transform();
        final Supplier<Operator<?>> supplier;
        if (transform instanceof Transform.Map map) {
            supplier = () -> new MapOperator<>((MapFunction<Object, Object>) copy(map.function(), label));
        } else if (transform instanceof Transform.Filter filter) {
            supplier = () -> new FilterOperator<>((FilterFunction<Object>) copy(filter.function(), label));
        } else if (transform instanceof Transform.FlatMap flatMap) {
            supplier = () -> new FlatMapOperator<>((FlatMapFunction<Object, Object>) copy(flatMap.function(), label));
        } else if (transform instanceof Transform.ProcessEach process) {
            supplier = () -> new ProcessOperator<>(
                    (ProcessFunction<Object, Object>) copyCheckpointed(process.function(), label));
        } else if (transform instanceof Transform.EventTime time) {
            supplier = () -> new EventTimeOperator<>(
                    (ToLongFunction<Object>) copy(time.function(), label),
                    time.unit(),
                    time.boundNs(),
                    time.idlenessNs());
        } else if (transform instanceof Transform.Distinct distinct) {
            final Supplier<KeyExtractor<?>> keys = keys(distinct.keying(), step, label);
            supplier = () -> new DistinctOperator<>(keys.get());
        } else if (transform instanceof Transform.KeyedProcess process) {
            final Supplier<KeyExtractor<?>> keys = keys(process.keying(), step, label);
            supplier = () -> new KeyedProcessOperator<>(
                    (KeyExtractor<Object>) keys.get(),
                    (KeyedProcessFunction<Object, Object, Object>) copyCheckpointed(process.function(), label));
        } else if (transform instanceof Transform.BroadcastProcess process) {
            supplier = () -> new BroadcastProcessOperator<>(
                    (BroadcastProcessFunction<Object, Object, Object>) copyCheckpointed(process.function(), label),
                    process.states());
        } else if (transform instanceof Transform.KeyedBroadcastProcess process) {
            final Supplier<KeyExtractor<?>> keys = keys(process.keying(), step, label);
            supplier = () -> new KeyedBroadcastProcessOperator<>(
                    (KeyExtractor<Object>) keys.get(),
                    (KeyedBroadcastProcessFunction<Object, Object, Object, Object>)
                            copyCheckpointed(process.function(), label),
                    process.states());
        } else if (transform instanceof Transform.WindowAggregate aggregate) {
            supplier = window(aggregate, step, label);
        } else if (transform instanceof Transform.Write write) {
            supplier = () -> new TransactionalSink<>(
                    write.log(), (Codec<Object>) write.codec().forTask());
        } else {
            throw new IllegalStateException(label + " is a source, not an operator");
        }
        // Once for nothing: what cannot be copied fails here, with the pipeline's author, and not in a task.
        Objects.requireNonNull(supplier.get(), label);
        return supplier;
    }

    /** How the inputs of a step are keyed, those apart that are broadcast; null if they are not. */
    static Keying keying(final Step step) {
        if (step.transform() instanceof Transform.Distinct distinct) {
            return distinct.keying();
        }
        if (step.transform() instanceof Transform.KeyedProcess process) {
            return process.keying();
        }
        if (step.transform() instanceof Transform.KeyedBroadcastProcess process) {
            return process.keying();
        }
        return step.transform() instanceof Transform.WindowAggregate aggregate ? aggregate.keying() : null;
    }

    /** The extractor of a step's keys. */
    Supplier<KeyExtractor<?>> keys(final Keying keying, final Step step, final String label) {
        if (keying instanceof Keying.ByLong byLong) {
            return () -> KeyExtractors.byLong((ToLongFunction<Object>) copy(byLong.function(), label));
        }
        final Keying.ByObject byObject = (Keying.ByObject) keying;
        final Codec<?> codec = codecs.ofKey(byObject, step);
        return () -> KeyExtractors.byObject(
                (KeyFunction<Object, Object>) copy(byObject.function(), label), (Codec<Object>) codec.forTask());
    }

    private Supplier<Operator<?>> window(
            final Transform.WindowAggregate aggregate, final Step step, final String label) {
        final Supplier<KeyExtractor<?>> keys = keys(aggregate.keying(), step, label);
        final Codec<?> accumulators = codecs.ofAccumulator(aggregate, step);
        return () -> new WindowAggregateOperator<>(
                (KeyExtractor<Object>) keys.get(),
                aggregate.windows(),
                (AggregateFunction<Object, Object, Object>) copy(aggregate.function(), label),
                (Codec<Object>) accumulators.forTask(),
                aggregate.windowFunction() == null
                        ? null
                        : (WindowFunction<Object, Object, Object>) copy(aggregate.windowFunction(), label),
                (OutputTag<Object>) aggregate.lateTag());
    }

    private static Object copy(final Object function, final String label) {
        if (function instanceof CheckpointedFunction) {
            throw new PlanException(
                    label + ": its function " + function.getClass().getName()
                            + " is a CheckpointedFunction, but only the functions of process(..) can be");
        }
        return copyCheckpointed(function, label);
    }

    private static Object copyCheckpointed(final Object function, final String label) {
        return FunctionCopies.copy(function, label);
    }
}
