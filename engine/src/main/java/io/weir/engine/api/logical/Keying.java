package io.weir.engine.api.logical;

import io.weir.engine.api.Codec;
import io.weir.engine.api.KeyFunction;
import io.weir.engine.api.ToLongFunction;

/** How the inputs of a keyed step are keyed. */
public sealed interface Keying {
    /**
     * By an object.
     *
     * @param function takes the key out of a record.
     * @param codec of the keys, null to infer it.
     */
    record ByObject(KeyFunction<?, ?> function, Codec<?> codec) implements Keying {}

    /**
     * By a number, without boxing.
     *
     * @param function takes the key out of a record.
     */
    record ByLong(ToLongFunction<?> function) implements Keying {}
}
