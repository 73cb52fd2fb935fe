package io.weir.storage.log;

import io.weir.storage.file.OpenFile;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * A file of gzip members (RFC 1952), one behind the other, and nothing else. Java's own stream takes what is no member for the
 * end, so that a damaged file may look like a shorter one.
 *
 * <pre>
 *   magic 1f 8b | method 8 | flags | time 4 | extra flags | system | [length 2, extra] [name 0] [comment 0] [checksum 2]
 *   deflated bytes | CRC32 4 | length 4
 * </pre>
 */
final class GzipFile {
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int TIME_AND_SYSTEM_LENGTH = 6;
    private static final int HAS_HEADER_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xE0;
    private static final int CHUNK_LENGTH = 1 << 20;

    private final OpenFile packed;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_LENGTH).limit(0);
    private final CRC32 checksum = new CRC32();
    /** In the packed file, behind the chunk. */
    private long position;
    /** Of what came out. */
    private long length;

    private GzipFile(final OpenFile packed) {
        this.packed = packed;
    }

    /**
     * Inflates a file.
     *
     * @param packed to read.
     * @param text to write from its start.
     * @throws LogException if the file is no gzip file, is damaged, cut, or followed by something else; the message says where.
     */
    static void inflate(final OpenFile packed, final OpenFile text) {
        final GzipFile file = new GzipFile(packed);
        final Inflater inflater = new Inflater(true);
        try {
            do {
                file.member(inflater, text);
            } while (file.fill());
        } catch (final EOFException ex) {
            throw new LogException(packed.path() + " is a truncated gzip file: " + file.length + " bytes came out", ex);
        } catch (final ZipException | DataFormatException ex) {
            throw new LogException(
                    packed.path() + " is a corrupt gzip file: before offset " + file.offset() + ": " + ex.getMessage(),
                    ex);
        } finally {
            inflater.end();
        }
    }

    private void member(final Inflater inflater, final OpenFile text)
            throws EOFException, ZipException, DataFormatException {
        final long start = offset();
        if (next2() != MAGIC) {
            throw new ZipException(
                    start == 0 ? "it does not begin as one" : "behind its end at " + start + " is something else");
        }
        skipHeader();
        inflater.reset();
        checksum.reset();
        final long before = length;
        final byte[] out = new byte[CHUNK_LENGTH];
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                requireMore();
                inflater.setInput(chunk);
            }
            final int count = inflater.inflate(out);
            if (count == 0 && inflater.needsDictionary()) {
                throw new ZipException("it needs a dictionary");
            }
            checksum.update(out, 0, count);
            text.write(length, ByteBuffer.wrap(out, 0, count));
            length += count;
        }
        if (next4() != checksum.getValue()) {
            throw new ZipException("wrong checksum");
        }
        if (next4() != (length - before & 0xFFFFFFFFL)) {
            throw new ZipException("wrong length");
        }
    }

    private void skipHeader() throws EOFException, ZipException {
        final int method = next();
        final int flags = next();
        if (method != DEFLATE || (flags & RESERVED) != 0) {
            throw new ZipException("unknown method " + method + " with flags " + flags);
        }
        skip(TIME_AND_SYSTEM_LENGTH);
        if ((flags & HAS_EXTRA) != 0) {
            skip(next2());
        }
        if ((flags & HAS_NAME) != 0) {
            skipText();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipText();
        }
        if ((flags & HAS_HEADER_CHECKSUM) != 0) {
            skip(2);
        }
    }

    private void skip(final int count) throws EOFException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText() throws EOFException {
        int at;
        do {
            at = next();
        } while (at != 0);
    }

    private long next4() throws EOFException {
        return next2() | (long) next2() << 16;
    }

    private int next2() throws EOFException {
        return next() | next() << 8;
    }

    private int next() throws EOFException {
        requireMore();
        return chunk.get() & 0xFF;
    }

    private void requireMore() throws EOFException {
        if (!fill()) {
            throw new EOFException();
        }
    }

    /** Whether there is a byte more. */
    private boolean fill() {
        if (!chunk.hasRemaining()) {
            position += packed.read(position, chunk.clear());
            chunk.flip();
        }
        return chunk.hasRemaining();
    }

    private long offset() {
        return position - chunk.remaining();
    }
}
