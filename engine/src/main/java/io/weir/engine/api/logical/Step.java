package io.weir.engine.api.logical;

import io.weir.engine.api.Codec;
import java.util.List;

/** A step of a pipeline: what it does, where its records come from, and its settings. One thread at a time. */
public final class Step {
    private final Transform transform;
    private final List<Input> inputs;
    private String uid;
    private String name;
    private int parallelism;
    private Codec<?> codec;

    /**
     * A step with default settings.
     *
     * @param transform what it does.
     * @param inputs where its records come from; none for a source, several behind a union or a connect.
     */
    public Step(final Transform transform, final List<Input> inputs) {
        this.transform = transform;
        this.inputs = List.copyOf(inputs);
        this.name = transform.defaultName();
    }

    /**
     * What the step does.
     *
     * @return never null.
     */
    public Transform transform() {
        return transform;
    }

    /**
     * Where its records come from.
     *
     * @return immutable.
     */
    public List<Input> inputs() {
        return inputs;
    }

    /**
     * The user's id for its state.
     *
     * @return null to derive one.
     */
    public String uid() {
        return uid;
    }

    /**
     * Sets the id for its state.
     *
     * @param newUid letters, digits and {@code - _ .}: it stands in file names.
     */
    public void uid(final String newUid) {
        if (!newUid.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("uid '" + newUid + "' may have only letters, digits and - _ .");
        }
        this.uid = newUid;
    }

    /**
     * Its name, for people.
     *
     * @return the user's, or the default of its kind.
     */
    public String name() {
        return name;
    }

    /**
     * Sets its name.
     *
     * @param newName not blank.
     */
    public void name(final String newName) {
        if (newName.isBlank()) {
            throw new IllegalArgumentException("the name of an operator must not be blank");
        }
        this.name = newName;
    }

    /**
     * The user's number of subtasks.
     *
     * @return 0 for the pipeline's default.
     */
    public int parallelism() {
        return parallelism;
    }

    /**
     * Sets the number of subtasks.
     *
     * @param subtasks at least 1.
     */
    public void parallelism(final int subtasks) {
        if (subtasks < 1) {
            throw new IllegalArgumentException("parallelism=" + subtasks + " of operator '" + name + "' must be >= 1");
        }
        this.parallelism = subtasks;
    }

    /**
     * The user's codec for its main output.
     *
     * @return null to infer it.
     */
    public Codec<?> codec() {
        return codec;
    }

    /**
     * Sets the codec of its main output.
     *
     * @param outputCodec not null.
     */
    public void codec(final Codec<?> outputCodec) {
        this.codec = java.util.Objects.requireNonNull(outputCodec, "codec");
    }
}
