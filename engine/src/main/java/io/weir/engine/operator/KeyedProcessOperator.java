package io.weir.engine.operator;

import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.TimeDomain;

/**
 * Calls a keyed process function for each record and timer. Task thread only; allocates nothing of its own per record.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
public final class KeyedProcessOperator<K, T, R> implements Operator<T> {
    private final KeyExtractor<T> extractor;
    private final KeyedProcessFunction<K, T, R> function;
    private KeyedCall<K, T, R> call;

    /**
     * An operator for one task.
     *
     * @param extractor takes the keys.
     * @param function of the user, the task's own.
     */
    public KeyedProcessOperator(final KeyExtractor<T> extractor, final KeyedProcessFunction<K, T, R> function) {
        this.extractor = extractor;
        this.function = function;
    }

    @Override
    public void open(final OperatorContext context) throws Exception {
        call = new KeyedCall<>(context, extractor, function, this::onTimer);
        function.open(call.states());
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        call.begin(value, timestampNs, sourceWatermarkNs);
        function.process(value, call, call.out());
    }

    @Override
    public void watermark(final long watermarkNs) throws Exception {
        call.watermark(watermarkNs);
    }

    @Override
    public boolean resume() throws Exception {
        return call.resume();
    }

    @Override
    public void processingTime(final long nowNs) throws Exception {
        call.processingTime(nowNs);
    }

    @Override
    public void snapshot(final OperatorSnapshot snapshot) throws Exception {
        call.snapshot(snapshot);
    }

    @Override
    public void idle() {
        call.idle();
    }

    @Override
    public void close() {
        function.close();
    }

    private void onTimer(final long timeNs, final TimeDomain domain) throws Exception {
        function.onTimer(timeNs, domain, call, call.out());
    }
}
