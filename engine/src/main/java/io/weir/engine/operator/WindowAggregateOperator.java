package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.api.WindowFunction;
import io.weir.engine.time.KeyedTimers;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Folds the records of each key and tumbling window. One entry of keyed state per open window, and one timer at its last
 * instant: {@code [start, 8][key] -> accumulator}, in the key group of the key.
 *
 * <p>A record is late if its window had ended by the watermark of the record's own source partition when it was read (counter
 * {@code late}). The task's watermark is never ahead of that, so a window is open for every other record, except where event
 * time is not the source's own: behind idle partitions, and for what a timer emits into the past. Such a record is late too, and
 * counted once more ({@code lateBehindTask}), because that depends on the moment. Task thread only; allocates nothing of its own
 * per record.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 * @param <A> type of the accumulators.
 * @param <V> type of the aggregates.
 */
public final class WindowAggregateOperator<K, T, A, V> implements Operator<T> {
    private final KeyExtractor<T> extractor;
    private final Tumbling windows;
    private final AggregateFunction<T, A, V> function;
    private final Codec<A> accumulatorCodec;
    private final WindowFunction<K, V, ?> windowFunction;
    private final OutputTag<T> lateTag;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer copy = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);
    private final ExpandableArrayBuffer entryKey = new ExpandableArrayBuffer(64);

    private CurrentKey key;
    private ValueTable table;
    private KeyedTimers timers;
    private EventTimeTimers eventTime;
    private Receiver<Object> output;
    private Receiver<T> lateOutput;
    private Counter late;
    private Counter lateBehindTask;

    /**
     * An operator for one task.
     *
     * @param extractor takes the keys.
     * @param windows which ones.
     * @param function of the user, the task's own.
     * @param accumulatorCodec the task's own.
     * @param windowFunction joins the key to an aggregate, null to emit the aggregate itself.
     * @param lateTag where late records go, null to drop them.
     */
    public WindowAggregateOperator(
            final KeyExtractor<T> extractor,
            final Tumbling windows,
            final AggregateFunction<T, A, V> function,
            final Codec<A> accumulatorCodec,
            final WindowFunction<K, V, ?> windowFunction,
            final OutputTag<T> lateTag) {
        this.extractor = extractor;
        this.windows = windows;
        this.function = function;
        this.accumulatorCodec = accumulatorCodec;
        this.windowFunction = windowFunction;
        this.lateTag = lateTag;
    }

    @Override
    public void open(final OperatorContext context) {
        key = new CurrentKey(context.maxParallelism());
        final String keyCodec = CodecTexts.of(extractor.keyCodec());
        final String entryKeys = "(start:long)" + keyCodec;
        table = context.state()
                .valueTable(new StateDescriptor(context.uid() + "/windows", entryKeys, CodecTexts.of(accumulatorCodec))
                        .migratedBy(CodecMigration.of(
                                "windows of operator " + context.uid(), entryKeys, accumulatorCodec, 0)));
        timers = new KeyedTimers(context.state().timerTable(context.uid() + "/timers", keyCodec));
        output = context.output();
        lateOutput = lateTag == null ? null : context.sideOutput(lateTag);
        eventTime = new EventTimeTimers(timers, this::fire, context, output);
        late = context.counter("late");
        lateBehindTask = context.counter("lateBehindTask");
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        final long startNs = windows.startOf(timestampNs);
        final long lastNs = startNs + windows.sizeNs() - 1;
        if (timestampNs == Long.MIN_VALUE
                || startNs > timestampNs
                || lastNs < timestampNs
                || lastNs == Long.MAX_VALUE) {
            throw noWindow(timestampNs);
        }
        if (sourceWatermarkNs != Long.MIN_VALUE && lastNs <= sourceWatermarkNs) {
            late(value, timestampNs, sourceWatermarkNs);
            return;
        }
        if (lastNs <= eventTime.watermarkNs()) {
            lateBehindTask.add(1);
            late(value, timestampNs, sourceWatermarkNs);
            return;
        }
        key.extract(extractor, value);
        final int entryLength = entryKey(startNs);
        final A accumulator;
        if (table.get(key.group(), entryKey, 0, entryLength, view)) {
            accumulator = decode();
        } else {
            accumulator = function.create();
            timers.set(key.group(), lastNs, key.buffer(), key.length());
        }
        final int length = accumulatorCodec.encode(function.add(accumulator, value), encoded, 0);
        table.put(key.group(), entryKey, 0, entryLength, encoded, 0, length);
    }

    @Override
    public void watermark(final long watermarkNs) throws Exception {
        eventTime.onWatermark(watermarkNs);
    }

    @Override
    public boolean resume() throws Exception {
        return eventTime.resume();
    }

    @Override
    public void idle() {
        output.idle();
    }

    @SuppressWarnings("unchecked") // The extractor takes keys of K.
    private void fire(final KeyedTimers due) throws Exception {
        key.take(due);
        final long endNs = due.timeNs() + 1;
        final long startNs = endNs - windows.sizeNs();
        final int entryLength = entryKey(startNs);
        final boolean found = table.get(key.group(), entryKey, 0, entryLength, view);
        assert found : "the window [" + startNs + ", " + endNs + ") has a timer but no state";
        final A accumulator = decode();
        table.remove(key.group(), entryKey, 0, entryLength);
        final TimeWindow window = new TimeWindow(startNs, endNs);
        final V aggregate = function.result(accumulator, window);
        final Object result;
        if (windowFunction == null) {
            result = aggregate;
        } else {
            final K windowKey = (K) extractor.keyCodec().decode(key.buffer(), 0, key.length());
            result = windowFunction.apply(windowKey, window, aggregate);
        }
        output.receive(result, due.timeNs(), Long.MIN_VALUE);
    }

    private void late(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        late.add(1);
        if (lateOutput != null) {
            lateOutput.receive(value, timestampNs, sourceWatermarkNs);
        }
    }

    /** Decodes a copy, so that a flyweight may be changed in place and the entry may be removed. */
    private A decode() {
        final int length = view.capacity();
        copy.putBytes(0, view, 0, length);
        return accumulatorCodec.decode(copy, 0, length);
    }

    private int entryKey(final long startNs) {
        entryKey.putLong(0, startNs, LITTLE_ENDIAN);
        entryKey.putBytes(Long.BYTES, key.buffer(), 0, key.length());
        return Long.BYTES + key.length();
    }

    private static IllegalArgumentException noWindow(final long timestampNs) {
        return new IllegalArgumentException(
                timestampNs == Long.MIN_VALUE
                        ? "a record without event time has no window: call eventTime(..) on the stream first"
                        : "timestamp " + timestampNs + " ns is too far out for a window");
    }
}
