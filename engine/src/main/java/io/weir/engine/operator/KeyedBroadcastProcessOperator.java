package io.weir.engine.operator;

import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedBroadcastProcessFunction.KeyedStateVisitor;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.ReadOnlyBroadcastState;
import io.weir.engine.api.TimeDomain;
import java.util.List;

/**
 * Calls a keyed broadcast process function for each record of both inputs and each timer. Task thread only; allocates nothing of
 * its own per keyed record.
 *
 * @param <K> type of the keys.
 * @param <T> type of the keyed records.
 * @param <B> type of the broadcast records.
 * @param <R> type of the results.
 */
public final class KeyedBroadcastProcessOperator<K, T, B, R> implements TwoInputOperator<T, B> {
    private final KeyExtractor<T> extractor;
    private final KeyedBroadcastProcessFunction<K, T, B, R> function;
    private final List<BroadcastStateDescriptor<?, ?>> descriptors;
    private BroadcastStates broadcastStates;
    private KeyedSide<K, T, R> keyed;
    private BroadcastSide broadcast;

    /**
     * An operator for one task.
     *
     * @param extractor takes the keys.
     * @param function of the user, the task's own.
     * @param descriptors of the broadcast states.
     */
    public KeyedBroadcastProcessOperator(
            final KeyExtractor<T> extractor,
            final KeyedBroadcastProcessFunction<K, T, B, R> function,
            final List<BroadcastStateDescriptor<?, ?>> descriptors) {
        this.extractor = extractor;
        this.function = function;
        this.descriptors = descriptors;
    }

    @Override
    public void open(final OperatorContext context) throws Exception {
        broadcastStates = new BroadcastStates(context, descriptors);
        keyed = new KeyedSide<>(context, extractor, function, this::onTimer, broadcastStates);
        broadcast = new BroadcastSide();
        function.open(keyed.states());
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        keyed.begin(value, timestampNs, sourceWatermarkNs);
        function.processElement(value, keyed, keyed.out());
    }

    @Override
    public void receiveSecond(final B value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        keyed.beginWithoutKey(timestampNs, sourceWatermarkNs);
        function.processBroadcastElement(value, broadcast, keyed.out());
    }

    @Override
    public void watermark(final long watermarkNs) throws Exception {
        keyed.watermark(watermarkNs);
    }

    @Override
    public boolean resume() throws Exception {
        return keyed.resume();
    }

    @Override
    public void processingTime(final long nowNs) throws Exception {
        keyed.processingTime(nowNs);
    }

    @Override
    public void snapshot(final OperatorSnapshot snapshot) throws Exception {
        keyed.snapshot(snapshot);
        broadcastStates.snapshot(snapshot);
    }

    @Override
    public void idle() {
        keyed.idle();
    }

    @Override
    public void close() {
        function.close();
    }

    private void onTimer(final long timeNs, final TimeDomain domain) throws Exception {
        function.onTimer(timeNs, domain, keyed, keyed.out());
    }

    private static final class KeyedSide<K, T, R> extends KeyedCall<K, T, R>
            implements KeyedBroadcastProcessFunction.ReadOnlyContext<K> {
        private final BroadcastStates broadcastStates;

        KeyedSide(
                final OperatorContext context,
                final KeyExtractor<T> extractor,
                final Object function,
                final TimerFunction timerFunction,
                final BroadcastStates broadcastStates)
                throws Exception {
            super(context, extractor, function, timerFunction);
            this.broadcastStates = broadcastStates;
        }

        @Override
        public <MK, MV> ReadOnlyBroadcastState<MK, MV> broadcastState(
                final BroadcastStateDescriptor<MK, MV> descriptor) {
            return broadcastStates.get(descriptor);
        }
    }

    private final class BroadcastSide implements KeyedBroadcastProcessFunction.Context<K> {
        @Override
        public <MK, MV> BroadcastState<MK, MV> broadcastState(final BroadcastStateDescriptor<MK, MV> descriptor) {
            return broadcastStates.get(descriptor);
        }

        @Override
        public <S> void applyToKeyedState(final S state, final KeyedStateVisitor<? super K, ? super S> visitor)
                throws Exception {
            keyed.states().forEachKey(state, () -> visitor.onKey(keyed.key(), state));
        }

        @Override
        public long timestampNs() {
            return keyed.timestampNs();
        }

        @Override
        public long watermarkNs() {
            return keyed.watermarkNs();
        }

        @Override
        public long nowNs() {
            return keyed.nowNs();
        }

        @Override
        public <S> void sideOutput(final OutputTag<S> tag, final S value) throws Exception {
            keyed.sideOutput(tag, value);
        }
    }
}
