package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Transform;
import java.util.List;
import java.util.Objects;

/**
 * The windows of a keyed stream.
 *
 * <p>A window has its result when the watermark has reached its last instant. A record is late if its window had ended by the
 * watermark of the record's own source partition when it was read; that does not depend on other partitions, on parallelism or
 * on the moment, so every run finds the same records late. They are counted ({@code late}) and go to {@link #lateTo}.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 */
public final class WindowedStream<K, T> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final Keying keying;
    private final Tumbling windows;
    private final OutputTag<T> lateTag;

    WindowedStream(
            final Pipeline pipeline,
            final List<Input> inputs,
            final Keying keying,
            final Tumbling windows,
            final OutputTag<T> lateTag) {
        this.pipeline = pipeline;
        this.inputs = inputs;
        this.keying = keying;
        this.windows = windows;
        this.lateTag = lateTag;
    }

    /**
     * Sends late records to a side output, to be taken with {@link Stream#sideOutput} from the stream of the results.
     *
     * @param tag of the output.
     * @return the same windows with that output.
     */
    public WindowedStream<K, T> lateTo(final OutputTag<T> tag) {
        return new WindowedStream<>(pipeline, inputs, keying, windows, Objects.requireNonNull(tag, "tag"));
    }

    /**
     * Folds each window into one result. The accumulator's codec is inferred from the class of the function.
     *
     * @param function of the user.
     * @param <A> type of the accumulator.
     * @param <R> type of the results.
     * @return the stream of the results, with the last instant of their window as timestamp.
     */
    public <A, R> Stream<R> aggregate(final AggregateFunction<? super T, A, R> function) {
        return aggregated(function, null, null);
    }

    /**
     * Folds each window into one result.
     *
     * @param function of the user.
     * @param accumulator codec of the accumulator.
     * @param <A> type of the accumulator.
     * @param <R> type of the results.
     * @return the stream of the results, with the last instant of their window as timestamp.
     */
    public <A, R> Stream<R> aggregate(final AggregateFunction<? super T, A, R> function, final Codec<A> accumulator) {
        return aggregated(function, Objects.requireNonNull(accumulator, "accumulator"), null);
    }

    /**
     * Folds each window into one result and joins the key to it. The accumulator's codec is inferred from the class of the
     * function.
     *
     * @param function of the user.
     * @param result joins key, window and aggregate.
     * @param <A> type of the accumulator.
     * @param <V> type of the aggregate.
     * @param <R> type of the results.
     * @return the stream of the results, with the last instant of their window as timestamp.
     */
    public <A, V, R> Stream<R> aggregate(
            final AggregateFunction<? super T, A, V> function, final WindowFunction<? super K, ? super V, R> result) {
        return aggregated(function, null, Objects.requireNonNull(result, "result"));
    }

    /**
     * Folds each window into one result and joins the key to it.
     *
     * @param function of the user.
     * @param accumulator codec of the accumulator.
     * @param result joins key, window and aggregate.
     * @param <A> type of the accumulator.
     * @param <V> type of the aggregate.
     * @param <R> type of the results.
     * @return the stream of the results, with the last instant of their window as timestamp.
     */
    public <A, V, R> Stream<R> aggregate(
            final AggregateFunction<? super T, A, V> function,
            final Codec<A> accumulator,
            final WindowFunction<? super K, ? super V, R> result) {
        return aggregated(
                function, Objects.requireNonNull(accumulator, "accumulator"), Objects.requireNonNull(result, "result"));
    }

    private <R> Stream<R> aggregated(
            final AggregateFunction<?, ?, ?> function,
            final Codec<?> accumulator,
            final WindowFunction<?, ?, ?> result) {
        Objects.requireNonNull(function, "function");
        return pipeline.add(
                new Transform.WindowAggregate(keying, windows, lateTag, function, accumulator, result), inputs);
    }
}
