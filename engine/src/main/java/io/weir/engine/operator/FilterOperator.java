package io.weir.engine.operator;

import io.weir.engine.api.FilterFunction;

/**
 * Keeps the records that pass a test. Task thread only.
 *
 * @param <T> type of the records.
 */
public final class FilterOperator<T> implements Operator<T> {
    private final FilterFunction<T> function;
    private Receiver<T> output;

    /**
     * An operator for one task.
     *
     * @param function of the user.
     */
    public FilterOperator(final FilterFunction<T> function) {
        this.function = function;
    }

    @Override
    public void open(final OperatorContext context) {
        output = context.output();
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        if (function.test(value)) {
            output.receive(value, timestampNs, sourceWatermarkNs);
        }
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
