package io.weir.engine.simulation;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.TimeDomain;
import java.util.concurrent.TimeUnit;

/** Counts by key, has a timer for each window of a key, and tells its state when all data has ended. */
final class Counting implements KeyedProcessFunction<Long, Long, Row> {
    private static final long serialVersionUID = 1L;

    /** A timer that only the end of all data fires. */
    private static final long END_NS = Long.MAX_VALUE - 1;

    private transient LongState count;
    private transient LongState sum;
    private transient MapState<Long, Long> windows;

    @Override
    public void open(final KeyedStates states) {
        count = states.longState("count");
        sum = states.longState("sum");
        windows = states.mapState("windows", Codecs.longs(), Codecs.longs());
    }

    @Override
    public void process(final Long id, final KeyedProcessContext<Long> context, final Collector<Row> out)
            throws Exception {
        final long number = count.get(0) + 1;
        count.set(number);
        sum.set(sum.get(0) + Facts.value(id));
        if (number == 1) {
            context.setEventTimer(END_NS);
        }
        final long endMs = Facts.windowEndMs(id);
        if (!windows.contains(endMs)) {
            windows.put(endMs, id);
            context.setEventTimer(TimeUnit.MILLISECONDS.toNanos(endMs));
        }
        out.collect(Row.of(Row.COUNTED, id, context.longKey(), number));
    }

    @Override
    public void onTimer(
            final long timeNs,
            final TimeDomain domain,
            final KeyedProcessContext<Long> context,
            final Collector<Row> out)
            throws Exception {
        if (timeNs == END_NS) {
            out.collect(Row.of(Row.STATE, context.longKey(), count.get(0), sum.get(0)));
        } else {
            out.collect(Row.of(Row.TIMER, context.longKey(), TimeUnit.NANOSECONDS.toMillis(timeNs), 0));
        }
    }
}
