package io.weir.engine.simulation;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Collector;
import io.weir.engine.api.ListState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers the records of a subtask. The numbering, with its first record as label, is list state: whoever gets it goes on, and
 * each number of a label is given once.
 */
final class Numbering implements ProcessFunction<Long, Row>, CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient ListState<Last> kept;
    private transient List<Last> lasts;

    @Override
    public void initialize(final OperatorStates states) {
        kept = states.list("last", Codec.ofRecord(Last.class));
        lasts = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            lasts.add(kept.get(i));
        }
    }

    @Override
    public void process(final Long id, final ProcessContext context, final Collector<Row> out) throws Exception {
        final Last last = lasts.isEmpty() ? new Last(id, 0) : lasts.remove(0);
        lasts.add(new Last(last.label, last.number + 1));
        out.collect(Row.of(Row.NUMBERED, id, last.label, last.number + 1));
    }

    @Override
    public void snapshot(final long checkpointId) {
        kept.update(lasts);
    }

    /**
     * Where a numbering stands.
     *
     * @param label of it.
     * @param number that was given last.
     */
    record Last(long label, long number) {}
}
