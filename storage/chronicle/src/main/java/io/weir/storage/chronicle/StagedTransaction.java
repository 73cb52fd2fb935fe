package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * The staging file of one transaction while it is written.
 *
 * <pre>
 *   0       4         8            12          n          n + 4
 *   +-------+---------+------------+-----------+----------+---------------- ...
 *   | magic | version | id length  | writer id | length   | record bytes    ... frames without gaps
 *   +-------+---------+------------+-----------+----------+---------------- ...
 *   little-endian; length, count and CRC32C of the frames are in the {@link TransactionHandle}
 * </pre>
 *
 * <p>Append and seal run on the task thread, force and close on the I/O thread after that.
 */
final class StagedTransaction {
    static final int MAGIC = 0x53545857;
    static final int VERSION = 1;
    static final int FIXED_HEADER_LENGTH = 12;

    private final FileStore files;
    private final OpenFile file;
    private final ByteBuffer buffer;
    private final CRC32C checksum = new CRC32C();
    private long written;
    private long length;
    private long count;
    private volatile boolean isFailed;

    /**
     * Creates the file.
     *
     * @param buffer of the writer, little-endian, reused from transaction to transaction.
     */
    StagedTransaction(final FileStore files, final Path path, final String writerId, final ByteBuffer buffer) {
        this.files = files;
        this.buffer = buffer;
        buffer.clear();
        final byte[] writer = writerId.getBytes(UTF_8);
        final ByteBuffer head = ByteBuffer.allocate(FIXED_HEADER_LENGTH + writer.length)
                .order(buffer.order())
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(writer.length)
                .put(writer)
                .flip();
        written = head.remaining();
        try {
            file = files.create(path);
        } catch (final FileException ex) {
            throw new LogException("a transaction can't be staged: " + ex.getMessage(), ex);
        }
        try {
            file.write(0, head);
        } catch (final FileException ex) {
            file.close();
            throw new LogException("a transaction can't be staged: " + ex.getMessage(), ex);
        }
    }

    void append(final DirectBuffer record, final int offset, final int recordLength) {
        requireWritten();
        if (buffer.remaining() < Integer.BYTES + recordLength) {
            flush();
        }
        buffer.putInt(recordLength);
        int copied = 0;
        while (recordLength - copied > buffer.remaining()) {
            final int part = buffer.remaining();
            record.getBytes(offset + copied, buffer, part);
            copied += part;
            flush();
        }
        record.getBytes(offset + copied, buffer, recordLength - copied);
        length += Integer.BYTES + recordLength;
        count++;
    }

    /** Hands the last bytes to the file system. No append may follow. */
    void seal() {
        flush();
        requireWritten();
    }

    /** May block. */
    void force() {
        requireWritten();
        try {
            file.force();
            files.forceDirectory(file.path().getParent());
        } catch (final FileException ex) {
            isFailed = true;
            throw new LogException("a staged transaction is not durable: " + ex.getMessage(), ex);
        }
    }

    void close() {
        file.close();
    }

    Path path() {
        return file.path();
    }

    long length() {
        return length;
    }

    long count() {
        return count;
    }

    int checksum() {
        return (int) checksum.getValue();
    }

    private void requireWritten() {
        if (isFailed) {
            throw new LogException(file.path() + " could not be written or forced before: its transaction is lost");
        }
    }

    private void flush() {
        buffer.flip();
        checksum.update(buffer);
        buffer.flip();
        final int flushed = buffer.remaining();
        try {
            file.write(written, buffer);
            written += flushed;
        } catch (final FileException ex) {
            isFailed = true;
            throw new LogException("a record can't be staged: " + ex.getMessage(), ex);
        } finally {
            buffer.clear();
        }
    }
}
