package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** What a task of a model job holds of one checkpoint: counts of records at its cut, and channel state by their numbers. */
final class ModelSnapshot {
    final BarrierAction.Snapshot action;
    final List<Long> processed = new ArrayList<>();
    final List<Long> emitted = new ArrayList<>();
    final List<List<Long>> inputs = new ArrayList<>();
    final List<List<Long>> outputs = new ArrayList<>();
    boolean closed;
    BarrierMetrics metrics;

    ModelSnapshot(List<ModelChannel> in, List<ModelChannel> out, BarrierAction.Snapshot action) {
        this.action = action;
        for (ModelChannel channel : in) {
            processed.add(channel.processed());
            inputs.add(new ArrayList<>());
        }
        for (ModelChannel channel : out) {
            emitted.add(channel.emitted());
            outputs.add(new ArrayList<>());
        }
    }

    /** The numbers of the records that are channel state. */
    @Override
    public String toString() {
        StringJoiner state = new StringJoiner(";", "{", "}");
        add(state, "", inputs);
        add(state, "out", outputs);
        return state.toString();
    }

    private static void add(StringJoiner state, String prefix, List<List<Long>> channels) {
        for (int channel = 0; channel < channels.size(); channel++) {
            if (!channels.get(channel).isEmpty()) {
                StringJoiner records = new StringJoiner("+", prefix + channel + "=", "");
                channels.get(channel).forEach(record -> records.add(Long.toString(record)));
                state.add(records.toString());
            }
        }
    }
}
