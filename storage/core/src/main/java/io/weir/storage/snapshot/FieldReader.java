package io.weir.storage.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Reads what a {@link FieldWriter} wrote; believes nothing: whatever does not fit is a {@link CorruptionException}. */
public final class FieldReader {
    private final String name;
    private final int version;
    private final long base;
    private final ByteBuffer buffer;

    /**
     * Reads fields without an envelope, whose checksum has been compared.
     *
     * @param name of the file, for errors.
     * @param base place of the first byte in the file, for errors.
     * @param fields to read.
     */
    public FieldReader(final String name, final long base, final ByteBuffer fields) {
        this(name, 0, base, fields);
    }

    private FieldReader(final String name, final int version, final long base, final ByteBuffer fields) {
        this.name = name;
        this.version = version;
        this.base = base;
        this.buffer = fields.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Opens an envelope: compares magic, version, length and checksum.
     *
     * @param name of the file, for errors.
     * @param bytes of the whole file.
     * @param magic that it must have.
     * @param version that it must have.
     * @return a reader before the first field.
     * @throws CorruptionException if one of them differs.
     */
    public static FieldReader open(final String name, final byte[] bytes, final long magic, final int version) {
        final FieldReader reader = open(name, bytes, magic);
        Corruption.check(name, FieldWriter.VERSION_OFFSET, "version", version, reader.version);
        return reader;
    }

    /**
     * Opens an envelope of any version: compares magic, length and checksum.
     *
     * @param name of the file, for errors.
     * @param bytes of the whole file.
     * @param magic that it must have.
     * @return a reader before the first field.
     * @throws CorruptionException if one of them differs.
     */
    static FieldReader open(final String name, final byte[] bytes, final long magic) {
        final ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final int overhead = FieldWriter.FIELDS_OFFSET + FieldWriter.CHECKSUM_LENGTH;
        if (bytes.length < overhead) {
            throw Corruption.at(name, bytes.length, "at least " + overhead + " bytes", bytes.length + " bytes");
        }
        final long foundMagic = file.getLong(FieldWriter.MAGIC_OFFSET);
        Corruption.checkHex(name, FieldWriter.MAGIC_OFFSET, "magic", magic, foundMagic);
        final int fields = bytes.length - overhead;
        Corruption.check(name, FieldWriter.LENGTH_OFFSET, "length", fields, file.getInt(FieldWriter.LENGTH_OFFSET));
        final int end = bytes.length - FieldWriter.CHECKSUM_LENGTH;
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, end);
        Corruption.checkHex(name, end, "checksum", (int) checksum.getValue(), file.getInt(end));
        return new FieldReader(
                name,
                file.getInt(FieldWriter.VERSION_OFFSET),
                FieldWriter.FIELDS_OFFSET,
                ByteBuffer.wrap(bytes, FieldWriter.FIELDS_OFFSET, fields));
    }

    /** The version that the envelope has, 0 without one. */
    int version() {
        return version;
    }

    private void need(final int bytes) {
        if (bytes < 0 || bytes > buffer.remaining()) {
            throw Corruption.at(name, position(), bytes + " more bytes", buffer.remaining() + " bytes");
        }
    }

    /**
     * Where the next field is.
     *
     * @return its offset in the file.
     */
    public long position() {
        return base + buffer.position();
    }

    /**
     * Reads a field.
     *
     * @return its four bytes.
     */
    public int getInt() {
        need(Integer.BYTES);
        return buffer.getInt();
    }

    /**
     * Reads a field.
     *
     * @return its eight bytes.
     */
    public long getLong() {
        need(Long.BYTES);
        return buffer.getLong();
    }

    /**
     * Reads how many things follow.
     *
     * @param minLength the fewest bytes that each of them takes, positive.
     * @return a count that the remaining bytes can hold.
     */
    public int getCount(final int minLength) {
        final long start = position();
        final int count = getInt();
        if (count < 0 || count > buffer.remaining() / minLength) {
            throw Corruption.at(name, start, "a count that fits " + buffer.remaining() + " bytes", "" + count);
        }
        return count;
    }

    /**
     * Reads a field.
     *
     * @return its text.
     */
    public String getString() {
        final int length = getInt();
        need(length);
        final ByteBuffer text = buffer.slice().limit(length);
        try {
            final String value =
                    StandardCharsets.UTF_8.newDecoder().decode(text).toString();
            buffer.position(buffer.position() + length);
            return value;
        } catch (final CharacterCodingException e) {
            throw Corruption.at(name, position(), "UTF-8", "bytes that are not");
        }
    }

    /** Compares that all fields have been read. */
    public void end() {
        if (buffer.hasRemaining()) {
            throw Corruption.at(name, position(), "the end of the fields", buffer.remaining() + " more bytes");
        }
    }
}
