package io.weir.engine.api;

import java.util.Objects;

/**
 * Names a side output of an operator.
 *
 * @param <T> type of its values.
 * @param name unique within the operator.
 * @param codec of its values, for edges between tasks.
 */
public record OutputTag<T>(String name, Codec<T> codec) {
    /** Checks name and codec. */
    public OutputTag {
        Objects.requireNonNull(codec, "codec");
        if (name.isBlank()) {
            throw new IllegalArgumentException("an output tag needs a name");
        }
    }

    /**
     * Makes a tag.
     *
     * @param name unique within the operator.
     * @param codec of its values.
     * @param <T> type of its values.
     * @return the tag.
     */
    public static <T> OutputTag<T> of(final String name, final Codec<T> codec) {
        return new OutputTag<>(name, codec);
    }
}
