package io.weir.engine.api.logical;

import io.weir.engine.api.OutputTag;

/**
 * Where a step takes records from.
 *
 * @param from the step.
 * @param tag of its side output, null for its main output.
 * @param isBroadcast whether each subtask takes all records, as its second input.
 */
public record Input(Step from, OutputTag<?> tag, boolean isBroadcast) {
    /**
     * An input of which each record goes to one subtask.
     *
     * @param from the step.
     * @param tag of its side output, null for its main output.
     */
    public Input(final Step from, final OutputTag<?> tag) {
        this(from, tag, false);
    }

    /**
     * The same records, broadcast.
     *
     * @return an input.
     */
    public Input broadcast() {
        return new Input(from, tag, true);
    }
}
