package io.weir.engine.operator;

import io.weir.engine.api.OutputTag;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;

/**
 * Calls a process function for each record. Task thread only.
 *
 * @param <T> type of the records.
 * @param <R> type of the results.
 */
public final class ProcessOperator<T, R> implements Operator<T> {
    private final ProcessFunction<T, R> function;
    private OperatorContext context;
    private Receiver<R> output;
    private Emitter<R> emitter;
    private FunctionLists lists;
    private Call call;
    private long watermarkNs = Long.MIN_VALUE;

    /**
     * An operator for one task.
     *
     * @param function of the user.
     */
    public ProcessOperator(final ProcessFunction<T, R> function) {
        this.function = function;
    }

    @Override
    public void open(final OperatorContext operatorContext) throws Exception {
        context = operatorContext;
        output = context.output();
        emitter = new Emitter<>(output);
        call = new Call(new SideOutputs(context));
        lists = FunctionLists.initialize(function, context);
        function.open();
    }

    @Override
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        emitter.time(timestampNs, sourceWatermarkNs);
        function.process(value, call, emitter);
    }

    @Override
    public void watermark(final long newWatermarkNs) throws Exception {
        watermarkNs = newWatermarkNs;
        output.watermark(newWatermarkNs);
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

    private final class Call implements ProcessContext {
        private final SideOutputs sideOutputs;

        Call(final SideOutputs sideOutputs) {
            this.sideOutputs = sideOutputs;
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
