package io.weir.storage.state;

import java.util.Objects;

/**
 * Describes one state for a backend and for the manifest.
 *
 * @param name unique within its operator's uid: {@code uid/state}.
 * @param keyCodec signature of the codec of its keys, such as {@code long} or {@code Trade(symbol:string,...)}.
 * @param valueCodec signature of the codec of its values.
 */
public record StateDescriptor(String name, String keyCodec, String valueCodec) {
    /** Checks that nothing is null and the name is not blank. */
    public StateDescriptor {
        Objects.requireNonNull(keyCodec, "keyCodec");
        Objects.requireNonNull(valueCodec, "valueCodec");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a state needs a name");
        }
    }
}
