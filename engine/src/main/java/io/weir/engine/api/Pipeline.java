package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.state.KeyGroups;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * A job as users write it: sources, operators and sinks. It only describes; nothing runs before it is launched. One thread at a
 * time.
 */
public final class Pipeline {
    private final String name;
    private final List<Step> steps = new ArrayList<>();
    private int parallelism = 1;
    private int maxParallelism = KeyGroups.DEFAULT_MAX_PARALLELISM;

    private Pipeline(final String name) {
        this.name = name;
    }

    /**
     * An empty pipeline.
     *
     * @param name of the job, which its checkpoints are kept under: letters, digits and {@code - _ .}.
     * @return the pipeline.
     */
    public static Pipeline named(final String name) {
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "pipeline name '" + name + "' must have only letters, digits and - _ . and at least one of them");
        }
        return new Pipeline(name);
    }

    /**
     * Reads a log; a record that the codec refuses fails the job.
     *
     * @param log to read.
     * @param codec of its records.
     * @param <T> type of the records.
     * @return the stream of its records.
     */
    public <T> Stream<T> read(final ReplayableLog log, final Codec<T> codec) {
        return read(log, codec, OnBadRecord.FAIL);
    }

    /**
     * Reads a log.
     *
     * @param log to read.
     * @param codec of its records.
     * @param onBadRecord what to do with a record that the codec refuses.
     * @param <T> type of the records.
     * @return the stream of its records.
     */
    public <T> Stream<T> read(final ReplayableLog log, final Codec<T> codec, final OnBadRecord onBadRecord) {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(onBadRecord, "onBadRecord");
        return add(new Transform.Read(log, codec, onBadRecord), List.of());
    }

    /**
     * Sets the number of subtasks of every operator that has no setting of its own. Default 1.
     *
     * @param subtasks at least 1.
     * @return this.
     */
    public Pipeline parallelism(final int subtasks) {
        if (subtasks < 1) {
            throw new IllegalArgumentException("parallelism=" + subtasks + " must be >= 1");
        }
        this.parallelism = subtasks;
        return this;
    }

    /**
     * Sets the number of key groups, which bounds the parallelism and is fixed for the life of the job's state. Default {@link
     * KeyGroups#DEFAULT_MAX_PARALLELISM}.
     *
     * @param keyGroups in [1, {@link KeyGroups#UPPER_BOUND_MAX_PARALLELISM}].
     * @return this.
     */
    public Pipeline maxParallelism(final int keyGroups) {
        if (keyGroups < 1 || keyGroups > KeyGroups.UPPER_BOUND_MAX_PARALLELISM) {
            throw new IllegalArgumentException(
                    "maxParallelism=" + keyGroups + " must be in [1, " + KeyGroups.UPPER_BOUND_MAX_PARALLELISM + "]");
        }
        this.maxParallelism = keyGroups;
        return this;
    }

    /**
     * The name of the job.
     *
     * @return as given.
     */
    public String name() {
        return name;
    }

    /**
     * The default number of subtasks.
     *
     * @return at least 1.
     */
    public int parallelism() {
        return parallelism;
    }

    /**
     * The number of key groups.
     *
     * @return at least 1.
     */
    public int maxParallelism() {
        return maxParallelism;
    }

    /**
     * The steps in the order in which they were added, for the planner.
     *
     * @return a view.
     */
    public List<Step> steps() {
        return Collections.unmodifiableList(steps);
    }

    <R> Stream<R> add(final Transform transform, final List<Input> inputs) {
        final Step step = new Step(transform, inputs);
        steps.add(step);
        return new Stream<>(this, List.of(new Input(step, null)), step);
    }

    @Override
    public String toString() {
        return "Pipeline{name=" + name + ", parallelism=" + parallelism + ", maxParallelism=" + maxParallelism
                + ", steps=" + steps.size() + '}';
    }
}
