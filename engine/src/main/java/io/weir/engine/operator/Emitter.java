package io.weir.engine.operator;

import io.weir.engine.api.Collector;

/** Hands what a function emits to an output, with the time of the record or timer that it was made from. */
final class Emitter<R> implements Collector<R> {
    private final Receiver<R> output;
    private long timestampNs;
    private long sourceWatermarkNs;

    Emitter(final Receiver<R> output) {
        this.output = output;
    }

    void time(final long newTimestampNs, final long newSourceWatermarkNs) {
        timestampNs = newTimestampNs;
        sourceWatermarkNs = newSourceWatermarkNs;
    }

    long timestampNs() {
        return timestampNs;
    }

    long sourceWatermarkNs() {
        return sourceWatermarkNs;
    }

    @Override
    public void collect(final R value) throws Exception {
        output.receive(value, timestampNs, sourceWatermarkNs);
    }
}
