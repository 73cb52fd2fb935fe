package io.weir.engine.simulation;

import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;

/** Counts broadcast records in broadcast state, and lets the others pass. */
final class Ruling implements BroadcastProcessFunction<Long, Long, Row> {
    static final BroadcastStateDescriptor<Long, Long> RULES =
            BroadcastStateDescriptor.of("rules", Codecs.longs(), Codecs.longs());
    private static final long serialVersionUID = 1L;
    private static final long COUNT = -1;

    @Override
    public void processElement(final Long id, final ReadOnlyContext context, final Collector<Row> out)
            throws Exception {
        out.collect(Row.of(Row.PASSED, id, 0, 0));
    }

    @Override
    public void processBroadcastElement(final Long id, final Context context, final Collector<Row> out)
            throws Exception {
        out.collect(Row.of(Row.RULE, id, count(context.broadcastState(RULES), id), 0));
    }

    static long count(final BroadcastState<Long, Long> rules, final Long id) {
        final Long last = rules.get(COUNT);
        final long number = last == null ? 1 : last + 1;
        rules.put(COUNT, number);
        rules.put(id, number);
        return number;
    }
}
