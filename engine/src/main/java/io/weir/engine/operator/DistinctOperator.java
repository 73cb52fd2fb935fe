package io.weir.engine.operator;

import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Keeps the first record of each key. The keys that were seen are keyed state. Task thread only; allocates nothing for a record
 * whose key was seen.
 *
 * @param <T> type of the records.
 */
public final class DistinctOperator<T> implements Operator<T> {
    private final KeyExtractor<T> extractor;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
    private CurrentKey key;
    private ValueTable seen;
    private Receiver<T> output;
    private Counter duplicates;

    /**
     * An operator for one task.
     *
     * @param extractor takes the keys.
     */
    public DistinctOperator(final KeyExtractor<T> extractor) {
        this.extractor = extractor;
    }

    @Override
    public void open(final OperatorContext context) {
        key = new CurrentKey(context.maxParallelism());
        seen = context.state()
                .valueTable(
                        new StateDescriptor(context.uid() + "/seen", CodecTexts.of(extractor.keyCodec()), "nothing"));
        output = context.output();
        duplicates = context.counter("duplicates");
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        key.extract(extractor, value);
        if (seen.get(key.group(), key.buffer(), 0, key.length(), view)) {
            duplicates.add(1);
            return;
        }
        seen.put(key.group(), key.buffer(), 0, key.length(), nothing, 0, 0);
        output.receive(value, timestampNs, sourceWatermarkNs);
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
