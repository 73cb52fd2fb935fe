package io.weir.engine.api;

import io.weir.engine.api.logical.Step;

/** The end of a stream: the handle for a sink's settings. One thread at a time. */
public final class Sink {
    private final Step step;

    Sink(final Step step) {
        this.step = step;
    }

    /**
     * Sets the id that the sink's transactions are kept under.
     *
     * @param uid unique within the pipeline: letters, digits and {@code - _ .}.
     * @return this.
     */
    public Sink uid(final String uid) {
        step.uid(uid);
        return this;
    }

    /**
     * Sets the sink's name, for people.
     *
     * @param name not blank.
     * @return this.
     */
    public Sink name(final String name) {
        step.name(name);
        return this;
    }

    /**
     * Sets the number of subtasks, each of which is one writer of the log.
     *
     * @param subtasks at least 1, at most the pipeline's max parallelism.
     * @return this.
     */
    public Sink parallelism(final int subtasks) {
        step.parallelism(subtasks);
        return this;
    }
}
