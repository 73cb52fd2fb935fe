package io.weir.engine.operator;

import io.weir.engine.api.MapFunction;

/**
 * Maps one to one. Task thread only.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
public final class MapOperator<T, R> implements Operator<T> {
    private final MapFunction<T, R> function;
    private Receiver<R> output;

    /**
     * An operator for one task.
     *
     * @param function of the user.
     */
    public MapOperator(final MapFunction<T, R> function) {
        this.function = function;
    }

    @Override
    public void open(final OperatorContext context) {
        output = context.output();
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        output.receive(function.map(value), timestampNs, sourceWatermarkNs);
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
