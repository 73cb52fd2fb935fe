package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;

/**
 * A key of one source: keys of different sources have nothing to do with each other.
 *
 * @param source its name.
 * @param key within the source.
 */
record SourceKey(String source, String key) {
    static Codec<SourceKey> codec() {
        return new FieldCodec<>(
                "SourceKey(source:text,key:text)",
                (out, value) -> out.putText(value.source).putText(value.key),
                in -> new SourceKey(in.getText(), in.getText()));
    }
}
