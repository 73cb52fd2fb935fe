package io.weir.engine.operator;

import io.weir.engine.api.FlatMapFunction;

/**
 * Maps one to any number. Task thread only.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
public final class FlatMapOperator<T, R> implements Operator<T> {
    private final FlatMapFunction<T, R> function;
    private Receiver<R> output;
    private Emitter<R> emitter;

    /**
     * An operator for one task.
     *
     * @param function of the user.
     */
    public FlatMapOperator(final FlatMapFunction<T, R> function) {
        this.function = function;
    }

    @Override
    public void open(final OperatorContext context) {
        output = context.output();
        emitter = new Emitter<>(output);
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        emitter.time(timestampNs, sourceWatermarkNs);
        function.flatMap(value, emitter);
    }

    @Override
    public void watermark(final long watermarkNs) throws Exception {
        output.watermark(watermarkNs);
    }

    @Override
    public void idle() {
        output.idle();
    }
}
