package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final CRC32C checksum = new CRC32C();
    private long length;
    private long count;
    private boolean isFailed;

    /**
     * Creates the file.
     *
     * @param buffer of the writer, little-endian, reused from transaction to transaction.
     */
    StagedTransaction(final Path file, final String writerId, final ByteBuffer buffer) {
        this.file = file;
        this.buffer = buffer;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            final byte[] writer = writerId.getBytes(UTF_8);
            final ByteBuffer header = ByteBuffer.allocate(FIXED_HEADER_LENGTH + writer.length)
                    .order(buffer.order())
                    .putInt(MAGIC)
                    .putInt(VERSION)
                    .putInt(writer.length)
                    .put(writer)
                    .flip();
            writeFully(header);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be created: " + ex, ex);
        }
        buffer.clear();
    }

    void append(final DirectBuffer record, final int offset, final int recordLength) {
        if (isFailed) {
            throw new LogException(file + " could not be written before: its transaction is lost");
        }
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
        if (isFailed) {
            throw new LogException(file + " could not be written before: its transaction is lost");
        }
    }

    void force() {
        try {
            channel.force(true);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be forced: " + ex, ex);
        }
        QueueFolder.force(file.getParent());
    }

    void close() {
        try {
            channel.close();
        } catch (final IOException ex) {
            throw new LogException(file + " can't be closed: " + ex, ex);
        }
    }

    Path file() {
        return file;
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

    private void flush() {
        buffer.flip();
        checksum.update(buffer);
        buffer.flip();
        try {
            writeFully(buffer);
        } catch (final IOException ex) {
            isFailed = true;
            throw new LogException(file + " can't take a record: " + ex, ex);
        } finally {
            buffer.clear();
        }
    }

    private void writeFully(final ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
