package io.weir.engine.operator;

import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.OutputTag;
import java.util.List;

/**
 * Calls a broadcast process function for each record of both inputs. Task thread only.
 *
 * @param <T> type of the records of the first input.
 * @param <B> type of the broadcast records.
 * @param <R> type of the results.
 */
public final class BroadcastProcessOperator<T, B, R> implements TwoInputOperator<T, B> {
    private final BroadcastProcessFunction<T, B, R> function;
    private final List<BroadcastStateDescriptor<?, ?>> descriptors;
    private OperatorContext context;
    private Receiver<R> output;
    private Emitter<R> emitter;
    private FunctionLists lists;
    private BroadcastStates broadcastStates;
    private Call call;
    private long watermarkNs = Long.MIN_VALUE;

    /**
     * An operator for one task.
     *
     * @param function of the user, the task's own.
     * @param descriptors of the broadcast states.
     */
    public BroadcastProcessOperator(
            final BroadcastProcessFunction<T, B, R> function, final List<BroadcastStateDescriptor<?, ?>> descriptors) {
        this.function = function;
        this.descriptors = descriptors;
    }

    @Override
    public void open(final OperatorContext operatorContext) throws Exception {
        context = operatorContext;
        output = context.output();
        emitter = new Emitter<>(output);
        broadcastStates = new BroadcastStates(context, descriptors);
        call = new Call(new SideOutputs(context));
        lists = FunctionLists.initialize(function, context);
        function.open();
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        emitter.time(timestampNs, sourceWatermarkNs);
        function.processElement(value, call, emitter);
    }

    @Override
    public void receiveSecond(final B value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        emitter.time(timestampNs, sourceWatermarkNs);
        function.processBroadcastElement(value, call, emitter);
    }

    @Override
    public void watermark(final long newWatermarkNs) throws Exception {
        watermarkNs = newWatermarkNs;
        output.watermark(newWatermarkNs);
    }

    @Override
    public void snapshot(final OperatorSnapshot snapshot) throws Exception {
        lists.snapshot(snapshot);
        broadcastStates.snapshot(snapshot);
    }

    @Override
    public void idle() {
        output.idle();
    }

    @Override
    public void close() {
        function.close();
    }

    private final class Call implements BroadcastProcessFunction.Context {
        private final SideOutputs sideOutputs;

        Call(final SideOutputs sideOutputs) {
            this.sideOutputs = sideOutputs;
        }

        @Override
        public <K, V> BroadcastState<K, V> broadcastState(final BroadcastStateDescriptor<K, V> descriptor) {
            return broadcastStates.get(descriptor);
        }

        @Override
        public long timestampNs() {
            return emitter.timestampNs();
        }

        @Override
        public long watermarkNs() {
            return watermarkNs;
        }

        @Override
        public long nowNs() {
            return context.nowNs();
        }

        @Override
        public <S> void sideOutput(final OutputTag<S> tag, final S value) throws Exception {
            sideOutputs.get(tag).receive(value, emitter.timestampNs(), emitter.sourceWatermarkNs());
        }
    }
}
