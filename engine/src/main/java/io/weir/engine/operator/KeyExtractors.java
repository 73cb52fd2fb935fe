package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.KeyFunction;
import io.weir.engine.api.ToLongFunction;
import org.agrona.ExpandableArrayBuffer;

/** The two ways to take a key: as an object with its codec, and as a number without boxing. */
public final class KeyExtractors {
    private KeyExtractors() {}

    /**
     * Keys that are objects.
     *
     * @param function of the user.
     * @param codec of the keys, the task's own.
     * @param <T> type of the records.
     * @param <K> type of the keys.
     * @return an extractor for one task.
     */
    public static <T, K> KeyExtractor<T> byObject(final KeyFunction<T, K> function, final Codec<K> codec) {
        return new ByObject<>(function, codec);
    }

    /**
     * Keys that are numbers.
     *
     * @param function of the user.
     * @param <T> type of the records.
     * @return an extractor for one task.
     */
    public static <T> KeyExtractor<T> byLong(final ToLongFunction<T> function) {
        return new ByLong<>(function);
    }

    private static final class ByObject<T, K> extends KeyExtractor<T> {
        private final KeyFunction<T, K> function;
        private final Codec<K> codec;

        ByObject(final KeyFunction<T, K> function, final Codec<K> codec) {
            this.function = function;
            this.codec = codec;
        }

        @Override
        protected int encodeKey(final T value, final ExpandableArrayBuffer target) throws Exception {
            final K key = function.key(value);
            if (key == null) {
                throw new IllegalArgumentException("the key of a record is null: " + value);
            }
            return codec.encode(key, target, 0);
        }

        @Override
        public Codec<?> keyCodec() {
            return codec;
        }
    }

    private static final class ByLong<T> extends KeyExtractor<T> {
        private final ToLongFunction<T> function;
        private final Codec<Long> codec = Codecs.longs();

        ByLong(final ToLongFunction<T> function) {
            this.function = function;
        }

        @Override
        protected int encodeKey(final T value, final ExpandableArrayBuffer target) throws Exception {
            target.putLong(0, function.applyAsLong(value), LITTLE_ENDIAN);
            return Long.BYTES;
        }

        @Override
        public Codec<?> keyCodec() {
            return codec;
        }
    }
}
