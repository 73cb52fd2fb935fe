package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.time.KeyedTimers;

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
    private final boolean longKeys;

    private OperatorContext context;
    private Receiver<R> output;
    private Emitter<R> emitter;
    private CurrentKey key;
    private TableStates states;
    private KeyedTimers eventTimers;
    private KeyedTimers processingTimers;
    private EventTimeTimers eventTime;
    private FunctionLists lists;
    private Call call;

    /**
     * An operator for one task.
     *
     * @param extractor takes the keys.
     * @param function of the user, the task's own.
     */
    public KeyedProcessOperator(final KeyExtractor<T> extractor, final KeyedProcessFunction<K, T, R> function) {
        this.extractor = extractor;
        this.function = function;
        this.longKeys = extractor.keyCodec().signature().equals("long");
    }

    @Override
    public void open(final OperatorContext operatorContext) throws Exception {
        context = operatorContext;
        output = context.output();
        emitter = new Emitter<>(output);
        key = new CurrentKey(context.maxParallelism());
        eventTimers = new KeyedTimers(context.state().timerTable(context.uid() + "/timers"));
        processingTimers = new KeyedTimers(context.state().timerTable(context.uid() + "/processing-timers"));
        eventTime = new EventTimeTimers(eventTimers, this::fireEventTimer, context, output);
        call = new Call(new SideOutputs(context));
        lists = FunctionLists.initialize(function, context);
        states = new TableStates(context, key, extractor.keyCodec().signature());
        function.open(states);
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        key.extract(extractor, value);
        emitter.time(timestampNs, sourceWatermarkNs);
        states.onCall();
        function.process(value, call, emitter);
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
    public void processingTime(final long nowNs) throws Exception {
        states.sweep(nowNs);
        while (processingTimers.poll(nowNs)) {
            key.take(processingTimers);
            states.onCall();
            emitter.time(Long.MIN_VALUE, Long.MIN_VALUE);
            function.onTimer(processingTimers.timeNs(), TimeDomain.PROCESSING_TIME, call, emitter);
            if (context.outputBlocked()) {
                // What is still due fires in a later duty cycle.
                return;
            }
        }
    }

    @Override
    public void snapshot(final OperatorSnapshot snapshot) throws Exception {
        lists.snapshot(snapshot);
    }

    @Override
    public void idle() {
        output.idle();
    }

    @Override
    public void close() {
        function.close();
    }

    private void fireEventTimer(final KeyedTimers due) throws Exception {
        key.take(due);
        states.onCall();
        emitter.time(due.timeNs(), Long.MIN_VALUE);
        function.onTimer(due.timeNs(), TimeDomain.EVENT_TIME, call, emitter);
    }

    private final class Call implements KeyedProcessContext<K> {
        private final SideOutputs sideOutputs;

        Call(final SideOutputs sideOutputs) {
            this.sideOutputs = sideOutputs;
        }

        @Override
        @SuppressWarnings("unchecked") // The extractor takes keys of K.
        public K key() {
            return (K) extractor.keyCodec().decode(key.buffer(), 0, key.length());
        }

        @Override
        public long longKey() {
            if (!longKeys) {
                throw new IllegalStateException("the key of operator " + context.uid() + " is no long but "
                        + extractor.keyCodec().signature());
            }
            return key.buffer().getLong(0, LITTLE_ENDIAN);
        }

        @Override
        public long timestampNs() {
            return emitter.timestampNs();
        }

        @Override
        public long watermarkNs() {
            return eventTime.watermarkNs();
        }

        @Override
        public long nowNs() {
            return context.nowNs();
        }

        @Override
        public <S> void sideOutput(final OutputTag<S> tag, final S value) throws Exception {
            sideOutputs.get(tag).receive(value, emitter.timestampNs(), emitter.sourceWatermarkNs());
        }

        @Override
        public void setEventTimer(final long timeNs) {
            eventTimers.set(key.group(), timeNs, key.buffer(), key.length());
        }

        @Override
        public void cancelEventTimer(final long timeNs) {
            eventTimers.cancel(key.group(), timeNs, key.buffer(), key.length());
        }

        @Override
        public void setProcessingTimer(final long timeNs) {
            processingTimers.set(key.group(), timeNs, key.buffer(), key.length());
        }

        @Override
        public void cancelProcessingTimer(final long timeNs) {
            processingTimers.cancel(key.group(), timeNs, key.buffer(), key.length());
        }
    }
}
