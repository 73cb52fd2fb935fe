package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.storage.state.KeyGroups;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Takes the key out of a record and turns it into bytes, hash and key group. An instance belongs to one task; allocates nothing
 * of its own.
 *
 * @param <T> type of the records.
 */
public abstract class KeyExtractor<T> {
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(64);
    private int length;

    /**
     * Extracts the key of a record; {@link #buffer()} and {@link #length()} hold its bytes afterwards.
     *
     * @param value the record.
     * @return the hash of the key.
     * @throws Exception if the user's key function fails.
     */
    public final int extract(final T value) throws Exception {
        length = encodeKey(value, buffer);
        return KeyGroups.hash(buffer, 0, length);
    }

    /**
     * Writes the key of a record at offset 0.
     *
     * @param value the record.
     * @param target to write to.
     * @return bytes written.
     * @throws Exception if the user's key function fails.
     */
    protected abstract int encodeKey(T value, ExpandableArrayBuffer target) throws Exception;

    /**
     * The codec of the keys, for decoding them again in timers.
     *
     * @return the codec.
     */
    public abstract Codec<?> keyCodec();

    /**
     * The bytes of the last key.
     *
     * @return a buffer that begins with the key.
     */
    public final DirectBuffer buffer() {
        return buffer;
    }

    /**
     * The length of the last key.
     *
     * @return bytes.
     */
    public final int length() {
        return length;
    }
}
