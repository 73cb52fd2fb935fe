package io.weir.storage.state;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The canonical form of keyed state in a segment, which every backend writes and restores. One section per state or timer
 * table, entries in order of the key group, which the segment keeps beside each entry:
 *
 * <pre>
 *   section "value/" + name,           0            4     4 + key length
 *   attributes: the codecs             +------------+-----+-------+
 *                                      | key length | key | value |
 *                                      +------------+-----+-------+
 *
 *   section "timer/" + name,           0      8
 *   attributes: the key codec          +------+-----+
 *                                      | time | key |
 *                                      +------+-----+
 * </pre>
 *
 * Little-endian. The attributes of a state are {@code <length of the key codec's text>:<key codec><value codec>}, with texts as
 * {@link CodecText} has them. Timers without attributes were written when their keys' codec was not kept.
 */
public final class StateFormat {
    /** Sections of states begin so. */
    public static final String VALUE_PREFIX = "value/";

    /** Sections of timers begin so. */
    public static final String TIMER_PREFIX = "timer/";

    private static final int KEY_OFFSET = Integer.BYTES;
    private static final int TIMER_KEY_OFFSET = Long.BYTES;

    private StateFormat() {}

    /**
     * Measures an entry of a state.
     *
     * @param keyLength in bytes.
     * @param valueLength in bytes.
     * @return its length in bytes.
     */
    public static int valueEntryLength(final int keyLength, final int valueLength) {
        return Math.addExact(KEY_OFFSET + keyLength, valueLength);
    }

    /**
     * Writes an entry of a state.
     *
     * @param target that takes the entry.
     * @param offset of the entry.
     * @param key bytes.
     * @param value bytes.
     */
    public static void putValueEntry(
            final MutableDirectBuffer target, final int offset, final DirectBuffer key, final DirectBuffer value) {
        target.putInt(offset, key.capacity(), ByteOrder.LITTLE_ENDIAN);
        target.putBytes(offset + KEY_OFFSET, key, 0, key.capacity());
        target.putBytes(offset + KEY_OFFSET + key.capacity(), value, 0, value.capacity());
    }

    /**
     * Where the key of a state's entry begins.
     *
     * @param offset of the entry.
     * @return offset of the key.
     */
    public static int keyOffset(final int offset) {
        return offset + KEY_OFFSET;
    }

    /**
     * The length of the key of a state's entry.
     *
     * @param source that holds the entry.
     * @param offset of the entry.
     * @param length of the entry in bytes.
     * @return in bytes, or -1 if the entry is damaged.
     */
    public static int keyLength(final DirectBuffer source, final int offset, final int length) {
        if (length < KEY_OFFSET) {
            return -1;
        }
        final int keyLength = source.getInt(offset, ByteOrder.LITTLE_ENDIAN);
        return keyLength <= length - KEY_OFFSET ? Math.max(-1, keyLength) : -1;
    }

    /**
     * Measures a timer's entry.
     *
     * @param keyLength in bytes.
     * @return its length in bytes.
     */
    public static int timerEntryLength(final int keyLength) {
        return TIMER_KEY_OFFSET + keyLength;
    }

    /**
     * Writes a timer's entry.
     *
     * @param target that takes the entry.
     * @param offset of the entry.
     * @param time at which it is due.
     * @param key bytes.
     */
    public static void putTimerEntry(
            final MutableDirectBuffer target, final int offset, final long time, final DirectBuffer key) {
        target.putLong(offset, time, ByteOrder.LITTLE_ENDIAN);
        target.putBytes(offset + TIMER_KEY_OFFSET, key, 0, key.capacity());
    }

    /**
     * The time of a timer's entry.
     *
     * @param source that holds the entry, at least {@code timerEntryLength(0)} bytes.
     * @param offset of the entry.
     * @return the time at which it is due.
     */
    public static long time(final DirectBuffer source, final int offset) {
        return source.getLong(offset, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Where the key of a timer's entry begins.
     *
     * @param offset of the entry.
     * @return offset of the key, which takes the rest of the entry.
     */
    public static int timerKeyOffset(final int offset) {
        return offset + TIMER_KEY_OFFSET;
    }

    /**
     * The attributes of a state's section.
     *
     * @param descriptor of the state.
     * @return its codecs as one text.
     */
    public static String attributes(final StateDescriptor descriptor) {
        return descriptor.keyCodec().length() + ":" + descriptor.keyCodec() + descriptor.valueCodec();
    }

    /**
     * Reads the attributes of a state's section.
     *
     * @param name of the state.
     * @param attributes as {@link #attributes} gave them.
     * @return the descriptor, or null if the attributes are damaged.
     */
    public static StateDescriptor descriptor(final String name, final String attributes) {
        final int colon = attributes.indexOf(':');
        if (name.isBlank()
                || colon < 1
                || colon > 9
                || !attributes.substring(0, colon).chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        final int keyCodecLength = Integer.parseInt(attributes, 0, colon, 10);
        final String codecs = attributes.substring(colon + 1);
        return keyCodecLength > codecs.length()
                ? null
                : new StateDescriptor(name, codecs.substring(0, keyCodecLength), codecs.substring(keyCodecLength));
    }

    /**
     * Compares the codecs that a state has with others.
     *
     * @param has descriptor of the state.
     * @param other of the same name.
     * @param segment in which the other one was found, null if it is asked for.
     * @throws StateException if they differ; it names the state and both.
     */
    public static void checkCodecs(final StateDescriptor has, final StateDescriptor other, final String segment) {
        if (!has.hasCodecsOf(other)) {
            throw new StateException("state " + has.name() + " has key codec " + has.keyCodec() + " and value codec "
                    + has.valueCodec() + ", but " + other.keyCodec() + " and " + other.valueCodec() + " are "
                    + (segment == null ? "asked for" : "found in " + segment));
        }
    }
}
