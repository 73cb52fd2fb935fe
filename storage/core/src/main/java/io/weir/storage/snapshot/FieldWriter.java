package io.weir.storage.snapshot;

import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.agrona.ExpandableArrayBuffer;

/**
 * Builds the bytes of a small file, little-endian, fields one after another, in an envelope:
 *
 * <pre>
 *   0        8         12       16             16 + length
 *   +--------+---------+--------+--------------+---------+
 *   | magic  | version | length | fields       | CRC-32C |
 *   +--------+---------+--------+--------------+---------+
 * </pre>
 *
 * The checksum covers everything before it. A string field is its length in bytes (4) and its UTF-8 bytes.
 */
public final class FieldWriter {
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int LENGTH_OFFSET = 12;
    static final int FIELDS_OFFSET = 16;
    static final int CHECKSUM_LENGTH = Integer.BYTES;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private int position = FIELDS_OFFSET;

    /**
     * Adds a field.
     *
     * @param value of four bytes.
     * @return this.
     */
    public FieldWriter putInt(final int value) {
        buffer.putInt(position, value, ByteOrder.LITTLE_ENDIAN);
        position += Integer.BYTES;
        return this;
    }

    /**
     * Adds a field.
     *
     * @param value of eight bytes.
     * @return this.
     */
    public FieldWriter putLong(final long value) {
        buffer.putLong(position, value, ByteOrder.LITTLE_ENDIAN);
        position += Long.BYTES;
        return this;
    }

    /**
     * Adds a field.
     *
     * @param value without unpaired surrogates.
     * @return this.
     * @throws IllegalArgumentException if it can't be written in UTF-8.
     */
    public FieldWriter putString(final String value) {
        final byte[] bytes;
        try {
            final java.nio.ByteBuffer encoded =
                    StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
        } catch (final CharacterCodingException e) {
            throw new IllegalArgumentException("'" + value + "' can't be written in UTF-8", e);
        }
        putInt(bytes.length);
        buffer.putBytes(position, bytes);
        position += bytes.length;
        return this;
    }

    /**
     * The fields alone, without the envelope.
     *
     * @return their bytes.
     */
    public byte[] fields() {
        final byte[] bytes = new byte[position - FIELDS_OFFSET];
        buffer.getBytes(FIELDS_OFFSET, bytes);
        return bytes;
    }

    /**
     * Closes the envelope.
     *
     * @param magic that tells this kind of file from others.
     * @param version of its fields.
     * @return the bytes of the file.
     */
    public byte[] seal(final long magic, final int version) {
        buffer.putLong(MAGIC_OFFSET, magic, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(VERSION_OFFSET, version, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(LENGTH_OFFSET, position - FIELDS_OFFSET, ByteOrder.LITTLE_ENDIAN);
        final CRC32C checksum = new CRC32C();
        checksum.update(buffer.byteArray(), 0, position);
        putInt((int) checksum.getValue());
        final byte[] bytes = new byte[position];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
