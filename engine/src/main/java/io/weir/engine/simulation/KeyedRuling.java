package io.weir.engine.simulation;

import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.TimeDomain;

/** Counts by key beside broadcast state, and tells the state of each key when all data has ended. */
final class KeyedRuling implements KeyedBroadcastProcessFunction<Long, Long, Long, Row> {
    private static final long serialVersionUID = 1L;
    private static final long END_NS = Long.MAX_VALUE - 1;

    private transient LongState count;
    private transient LongState sum;

    @Override
    public void open(final KeyedStates states) {
        count = states.longState("count");
        sum = states.longState("sum");
    }

    @Override
    public void processElement(final Long id, final ReadOnlyContext<Long> context, final Collector<Row> out)
            throws Exception {
        final long number = count.get(0) + 1;
        count.set(number);
        sum.set(sum.get(0) + Facts.value(id));
        if (number == 1) {
            context.setEventTimer(END_NS);
        }
        out.collect(Row.of(Row.COUNTED, id, context.longKey(), number));
    }

    @Override
    public void processBroadcastElement(final Long id, final Context<Long> context, final Collector<Row> out)
            throws Exception {
        out.collect(Row.of(Row.RULE, id, Ruling.count(context.broadcastState(Ruling.RULES), id), 0));
    }

    @Override
    public void onTimer(
            final long timeNs, final TimeDomain domain, final ReadOnlyContext<Long> context, final Collector<Row> out)
            throws Exception {
        out.collect(Row.of(Row.STATE, context.longKey(), count.get(0), sum.get(0)));
    }
}
