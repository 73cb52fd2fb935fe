package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.storage.state.CodecText;

/** Codecs as checkpoints name them. */
final class CodecTexts {
    private CodecTexts() {}

    static String of(final Codec<?> codec) {
        return CodecText.of(codec.signature(), codec.version());
    }
}
