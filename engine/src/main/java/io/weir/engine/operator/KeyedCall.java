package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.time.KeyedTimers;

/**
 * What operators with a keyed process function share: the current key with its states and timers, the time of what is emitted, and
 * the function's sight of them. Task thread only; allocates nothing of its own per record.
 *
 * @param <K> type of the keys.
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
class KeyedCall<K, T, R> implements KeyedProcessContext<K> {
    private final OperatorContext context;
    private final KeyExtractor<T> extractor;
    private final TimerFunction timerFunction;
    private final boolean longKeys;
    private final Receiver<R> output;
    private final Emitter<R> emitter;
    private final CurrentKey key;
    private final KeyedTimers eventTimers;
    private final KeyedTimers processingTimers;
    private final EventTimeTimers eventTime;
    private final SideOutputs sideOutputs;
    private final FunctionLists lists;
    private final TableStates states;

    /** Initializes a function that is a {@link io.weir.engine.api.CheckpointedFunction}. */
    KeyedCall(
            final OperatorContext context,
            final KeyExtractor<T> extractor,
            final Object function,
            final TimerFunction timerFunction)
            throws Exception {
        this.context = context;
        this.extractor = extractor;
        this.timerFunction = timerFunction;
        final String keyCodec = CodecTexts.of(extractor.keyCodec());
        longKeys = extractor.keyCodec().signature().equals("long");
        output = context.output();
        emitter = new Emitter<>(output);
        key = new CurrentKey(context.maxParallelism());
        eventTimers = new KeyedTimers(context.state().timerTable(context.uid() + "/timers", keyCodec));
        processingTimers = new KeyedTimers(context.state().timerTable(context.uid() + "/processing-timers", keyCodec));
        eventTime = new EventTimeTimers(eventTimers, this::fireEventTimer, context, output);
        sideOutputs = new SideOutputs(context);
        lists = FunctionLists.initialize(function, context);
        states = new TableStates(context, key, keyCodec);
    }

    final TableStates states() {
        return states;
    }

    final Collector<R> out() {
        return emitter;
    }

    /** The function is about to be called for a record that has a key. */
    final void begin(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        key.extract(extractor, value);
        emitter.time(timestampNs, sourceWatermarkNs);
        states.onCall();
    }

    /** The function is about to be called for a record that has no key. */
    final void beginWithoutKey(final long timestampNs, final long sourceWatermarkNs) {
        key.clear();
        emitter.time(timestampNs, sourceWatermarkNs);
        states.onCall();
    }

    final void watermark(final long watermarkNs) throws Exception {
        eventTime.onWatermark(watermarkNs);
    }

    final boolean resume() throws Exception {
        return eventTime.resume();
    }

    final void processingTime(final long nowNs) throws Exception {
        states.sweep(nowNs);
        while (processingTimers.poll(nowNs)) {
            key.take(processingTimers);
            states.onCall();
            emitter.time(Long.MIN_VALUE, Long.MIN_VALUE);
            timerFunction.onTimer(processingTimers.timeNs(), TimeDomain.PROCESSING_TIME);
            if (context.outputBlocked()) {
                // What is still due fires in a later duty cycle.
                return;
            }
        }
    }

    final void snapshot(final OperatorSnapshot snapshot) throws Exception {
        lists.snapshot(snapshot);
    }

    final void idle() {
        output.idle();
    }

    private void fireEventTimer(final KeyedTimers due) throws Exception {
        key.take(due);
        states.onCall();
        emitter.time(due.timeNs(), Long.MIN_VALUE);
        timerFunction.onTimer(due.timeNs(), TimeDomain.EVENT_TIME);
    }

    @Override
    @SuppressWarnings("unchecked") // The extractor takes keys of K.
    public final K key() {
        return (K) extractor.keyCodec().decode(key.buffer(), 0, key.length());
    }

    @Override
    public final long longKey() {
        if (!longKeys) {
            throw new IllegalStateException("the key of operator " + context.uid() + " is no long but "
                    + extractor.keyCodec().signature());
        }
        return key.buffer().getLong(0, LITTLE_ENDIAN);
    }

    @Override
    public final long timestampNs() {
        return emitter.timestampNs();
    }

    @Override
    public final long watermarkNs() {
        return eventTime.watermarkNs();
    }

    @Override
    public final long nowNs() {
        return context.nowNs();
    }

    @Override
    public final <S> void sideOutput(final OutputTag<S> tag, final S value) throws Exception {
        sideOutputs.get(tag).receive(value, emitter.timestampNs(), emitter.sourceWatermarkNs());
    }

    @Override
    public final void setEventTimer(final long timeNs) {
        eventTimers.set(key.group(), timeNs, key.buffer(), key.length());
    }

    @Override
    public final void cancelEventTimer(final long timeNs) {
        eventTimers.cancel(key.group(), timeNs, key.buffer(), key.length());
    }

    @Override
    public final void setProcessingTimer(final long timeNs) {
        processingTimers.set(key.group(), timeNs, key.buffer(), key.length());
    }

    @Override
    public final void cancelProcessingTimer(final long timeNs) {
        processingTimers.cancel(key.group(), timeNs, key.buffer(), key.length());
    }

    /** What a timer of the current key does. */
    @FunctionalInterface
    interface TimerFunction {
        void onTimer(long timeNs, TimeDomain domain) throws Exception;
    }
}
