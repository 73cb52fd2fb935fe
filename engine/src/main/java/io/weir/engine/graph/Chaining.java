package io.weir.engine.graph;

import io.weir.engine.api.Pipeline;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;

/** Which operators run in one task, one calling the next. */
final class Chaining {
    private Chaining() {}

    /**
     * Whether a step is chained to its input: it has one, is not keyed, and both have the same parallelism.
     *
     * @param step that may be chained.
     * @param pipeline of the step.
     * @return false for a source.
     */
    static boolean chains(final Step step, final Pipeline pipeline) {
        return !(step.transform() instanceof Transform.Read)
                && step.inputs().size() == 1
                && Operators.keying(step) == null
                && parallelism(step, pipeline)
                        == parallelism(step.inputs().get(0).from(), pipeline);
    }

    /** The number of subtasks of a step. */
    static int parallelism(final Step step, final Pipeline pipeline) {
        return step.parallelism() == 0 ? pipeline.parallelism() : step.parallelism();
    }
}
