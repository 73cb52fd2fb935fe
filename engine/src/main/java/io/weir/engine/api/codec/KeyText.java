package io.weir.engine.api.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The keys of a table as text, known by their signature alone. The table of a plain state has the keys of the stream; those of
 * lists, maps and windows have keys in which a stream's key is a part, behind others or, in the entries of maps, in front of the
 * map's key. One task per instance.
 */
public final class KeyText {
    private static final String MAP_ENTRY = "(key:";

    private final TextCodec plain;
    private final TextCodec mapKey;
    private final TextLayout prefix;

    private KeyText(final TextCodec plain, final TextCodec mapKey, final TextLayout prefix) {
        this.plain = plain;
        this.mapKey = mapKey;
        this.prefix = prefix;
    }

    /**
     * The text of a signature.
     *
     * @param codec of a table's keys: its signature, or its text in a checkpoint.
     * @return the text.
     */
    public static KeyText of(final String codec) {
        final String signature = SignatureParser.withoutVersions(codec);
        final int prefixEnd = TextCodec.prefixEnd(signature);
        if (prefixEnd == 0 || prefixEnd == signature.length()) {
            return new KeyText(TextCodec.of(signature), null, null);
        }
        if (signature.startsWith(MAP_ENTRY)) {
            return new KeyText(
                    TextCodec.of(signature.substring(MAP_ENTRY.length(), prefixEnd - 1)),
                    TextCodec.of(signature.substring(prefixEnd)),
                    null);
        }
        final TextLayout prefix = SignatureParser.parse(signature.substring(0, prefixEnd));
        return prefix == null
                ? new KeyText(TextCodec.of("bytes"), null, null)
                : new KeyText(TextCodec.of(signature.substring(prefixEnd)), null, prefix);
    }

    /**
     * The signature of the stream's keys.
     *
     * @return of the part that {@link #parse} takes.
     */
    public String plainSignature() {
        return plain.signature();
    }

    /**
     * Parses a key of the stream.
     *
     * @param text as it is printed, or without quotes.
     * @return its bytes.
     * @throws IllegalArgumentException if it is no such key; the message says why.
     */
    public DirectBuffer parse(final String text) {
        final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer(64);
        final int length = plain.encode(text, bytes, 0);
        return new UnsafeBuffer(bytes, 0, length);
    }

    /**
     * Prints a key.
     *
     * @param key exactly the key's bytes.
     * @return the key of the stream, with what stands before it or follows it.
     */
    public String print(final DirectBuffer key) {
        final int start = plainStart(key);
        final int end = plainEnd(key);
        if (end < 0) {
            return TextCodec.of("bytes").decode(key, 0, key.capacity());
        }
        final StringBuilder text = new StringBuilder();
        if (prefix != null) {
            prefix.print(key, 0, start, text);
        }
        text.append(plain.decode(key, start, end - start));
        return mapKey == null
                ? text.toString()
                : text.append(" -> ")
                        .append(mapKey.decode(key, end, key.capacity() - end))
                        .toString();
    }

    /**
     * Whether an entry belongs to a key of the stream.
     *
     * @param key exactly the entry's key bytes.
     * @param plainKey as parsed.
     * @return true if so.
     */
    public boolean isOf(final DirectBuffer key, final DirectBuffer plainKey) {
        final int start = plainStart(key);
        final int end = plainEnd(key);
        if (end - start != plainKey.capacity()) {
            return false;
        }
        for (int i = 0; i < plainKey.capacity(); i++) {
            if (key.getByte(start + i) != plainKey.getByte(i)) {
                return false;
            }
        }
        return true;
    }

    private int plainStart(final DirectBuffer key) {
        if (mapKey != null) {
            return Integer.BYTES;
        }
        if (prefix == null) {
            return 0;
        }
        try {
            return prefix.end(key, 0, key.capacity());
        } catch (final IllegalArgumentException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** Negative if the key is not what its signature says. */
    private int plainEnd(final DirectBuffer key) {
        if (mapKey == null) {
            return plainStart(key) <= key.capacity() ? key.capacity() : -1;
        }
        final int length = key.capacity() < Integer.BYTES ? -1 : key.getInt(0, LITTLE_ENDIAN);
        return length < 0 || length > key.capacity() - Integer.BYTES ? -1 : Integer.BYTES + length;
    }
}
