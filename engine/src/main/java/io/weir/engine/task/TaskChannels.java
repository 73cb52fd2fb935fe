package io.weir.engine.task;

import io.weir.engine.barrier.BarrierChannels;
import io.weir.engine.barrier.EdgeOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** All channels of one task, in the order of its gate and of its outputs. */
final class TaskChannels {
    private final List<TaskChannel> inputs = new ArrayList<>();
    private final List<TaskChannel> outputs = new ArrayList<>();

    void addInputs(final List<TaskChannel> added) {
        inputs.addAll(added);
    }

    void addOutputs(final List<TaskChannel> added) {
        outputs.addAll(added);
    }

    List<TaskChannel> inputs() {
        return inputs;
    }

    List<TaskChannel> outputs() {
        return outputs;
    }

    /**
     * The channels as a barrier handler sees them.
     *
     * @param readsInputs false for a task that was restored as finished.
     */
    BarrierChannels forBarriers(final boolean readsInputs) {
        final List<TaskChannel> read = readsInputs ? inputs : List.of();
        return new BarrierChannels(read.size(), kept(read), outputs.size(), kept(outputs));
    }

    private static BitSet kept(final List<TaskChannel> channels) {
        final BitSet kept = new BitSet();
        for (int i = 0; i < channels.size(); i++) {
            if (channels.get(i).order() == EdgeOrder.KEPT) {
                kept.set(i);
            }
        }
        return kept;
    }
}
