package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a staging file back, record by record, after its checksum was found right. I/O thread. */
final class StagedRecords implements AutoCloseable {
    private static final int CHUNK_LENGTH = 1 << 18;

    private final Path file;
    private final TransactionHandle handle;
    private final FileChannel channel;
    private final long start;
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private ByteBuffer chunk = newChunk(CHUNK_LENGTH);
    private long position;
    private long remaining;

    private StagedRecords(final Path file, final TransactionHandle handle) throws IOException {
        this.file = file;
        this.handle = handle;
        channel = FileChannel.open(file, StandardOpenOption.READ);
        start = (long) StagedTransaction.FIXED_HEADER_LENGTH + handle.writerId().getBytes(UTF_8).length;
    }

    /**
     * Opens and checks the file.
     *
     * @throws LogException if it isn't what the handle says: it names the file.
     */
    static StagedRecords open(final Path file, final TransactionHandle handle) {
        StagedRecords records = null;
        try {
            records = new StagedRecords(file, handle);
            records.verify();
            return records;
        } catch (final IOException ex) {
            throw closed(records, new LogException(file + " can't be read: " + ex, ex));
        } catch (final LogException ex) {
            throw closed(records, ex);
        }
    }

    /**
     * Moves to the next record.
     *
     * @return the record, valid until the next call, or null at the end.
     */
    UnsafeBuffer next() {
        if (remaining == 0) {
            return null;
        }
        try {
            require(Integer.BYTES);
            final int length = chunk.getInt();
            if (length < 0 || length > remaining - Integer.BYTES) {
                throw new LogException(file + " is damaged: a record of " + length + " bytes where "
                        + (remaining - Integer.BYTES) + " are left");
            }
            require(length);
            record.wrap(chunk, chunk.position(), length);
            chunk.position(chunk.position() + length);
            remaining -= Integer.BYTES + length;
            return record;
        } catch (final IOException ex) {
            throw new LogException(file + " can't be read: " + ex, ex);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException ex) {
            throw new LogException(file + " can't be closed: " + ex, ex);
        }
    }

    /** Who wrote a staging file, or null if its head never reached the file. */
    static String writerOf(final Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            final ByteBuffer head =
                    ByteBuffer.allocate((int) Math.min(channel.size(), 1 << 16)).order(ByteOrder.LITTLE_ENDIAN);
            int read = 0;
            while (head.hasRemaining() && read >= 0) {
                read = channel.read(head);
            }
            head.flip();
            if (head.remaining() < StagedTransaction.FIXED_HEADER_LENGTH
                    || head.getInt() != StagedTransaction.MAGIC
                    || head.getInt() != StagedTransaction.VERSION) {
                return null;
            }
            final int length = head.getInt();
            return length < 0 || length > head.remaining()
                    ? null
                    : new String(head.array(), head.position(), length, UTF_8);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be read: " + ex, ex);
        }
    }

    private void verify() throws IOException {
        if (channel.size() != start + handle.length()) {
            throw new LogException(file + " is damaged: " + channel.size() + " bytes long, expected "
                    + (start + handle.length()) + " for " + handle.describe());
        }
        if (!handle.writerId().equals(writerOf(file))) {
            throw new LogException(file + " is damaged: its head does not name writer " + handle.writerId());
        }
        final CRC32C checksum = new CRC32C();
        rewind();
        while (position < start + handle.length()) {
            chunk.clear();
            fill();
            chunk.flip();
            checksum.update(chunk);
        }
        if ((int) checksum.getValue() != handle.checksum()) {
            throw new LogException(file + " is damaged: checksum " + Integer.toHexString((int) checksum.getValue())
                    + ", expected " + Integer.toHexString(handle.checksum()) + " for " + handle.describe());
        }
        rewind();
    }

    private void rewind() {
        position = start;
        remaining = handle.length();
        chunk.clear().flip();
    }

    /** Sees to it that so many bytes lie in the chunk in one piece. */
    private void require(final int length) throws IOException {
        if (chunk.remaining() >= length) {
            return;
        }
        if (length > chunk.capacity()) {
            chunk = newChunk(length).put(chunk);
        } else {
            chunk.compact();
        }
        fill();
        chunk.flip();
    }

    private void fill() throws IOException {
        while (chunk.hasRemaining() && position < start + handle.length()) {
            final int read = channel.read(chunk, position);
            if (read < 0) {
                throw new LogException(file + " is damaged: it ends at " + position);
            }
            position += read;
        }
    }

    private static ByteBuffer newChunk(final int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static LogException closed(final StagedRecords records, final LogException ex) {
        if (records != null) {
            try {
                records.close();
            } catch (final LogException suppressed) {
                ex.addSuppressed(suppressed);
            }
        }
        return ex;
    }
}
