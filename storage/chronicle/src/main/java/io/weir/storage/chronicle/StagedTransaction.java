package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * One transaction while it is written: records gather in memory, and the I/O thread makes its staging file when the transaction
 * is forced.
 *
 * <pre>
 *   0       4         8            12          n          n + 4
 *   +-------+---------+------------+-----------+----------+---------------- ...
 *   | magic | version | id length  | writer id | length   | record bytes    ... frames without gaps
 *   +-------+---------+------------+-----------+----------+---------------- ...
 *   little-endian; length, count and CRC32C of the frames are in the {@link TransactionHandle}
 * </pre>
 *
 * <p>Append and seal run on the task thread; write, force and close on the I/O thread after that. Append touches memory only,
 * unless the writer's chunks are all in use: then the transaction <i>spills</i>, which means that the task thread makes the file
 * and writes to it. That goes to the system's page cache and waits for no disk, until the system itself slows down who writes
 * more than the disk takes; a job that stages more than {@link ChronicleWriter#STAGED_IN_MEMORY} between two checkpoints has no
 * better place for it, and is slowed down by the disk in the end anyway.
 *
 * <p>What could not be written or forced is tried anew in another file, from memory; after a spill it is lost.
 */
final class StagedTransaction {
    static final int MAGIC = 0x53545857;
    static final int VERSION = 1;
    static final int FIXED_HEADER_LENGTH = 12;

    private final FileStore files;
    private final Path path;
    private final String writerId;
    private final StagingChunks memory;
    /** Full ones in order: all that is not durable yet, or was not spilled. */
    private final List<ByteBuffer> chunks = new ArrayList<>();

    private final CRC32C checksum = new CRC32C();
    private ByteBuffer current;
    private OpenFile file;
    private long fileLength;
    private boolean isSpilled;
    private boolean isWritten;
    private boolean isForced;
    private long length;
    private long count;
    private volatile boolean isLost;

    /**
     * Begins a transaction.
     *
     * @param path of the file, which is not there yet.
     * @param memory of the writer.
     */
    StagedTransaction(final FileStore files, final Path path, final String writerId, final StagingChunks memory) {
        this.files = files;
        this.path = path;
        this.writerId = writerId;
        this.memory = memory;
        current = memory.take();
    }

    void append(final DirectBuffer record, final int offset, final int recordLength) {
        requireWhole();
        if (current.remaining() < Integer.BYTES) {
            nextChunk();
        }
        current.putInt(recordLength);
        int copied = 0;
        while (recordLength - copied > current.remaining()) {
            final int part = current.remaining();
            record.getBytes(offset + copied, current, part);
            copied += part;
            nextChunk();
        }
        record.getBytes(offset + copied, current, recordLength - copied);
        length += Integer.BYTES + recordLength;
        count++;
    }

    /** Ends the records; touches memory only. No append may follow. */
    void seal() {
        requireWhole();
        sealChunk();
    }

    /** Brings all records to the file, if they are not there already. May block. */
    void write() {
        requireWhole();
        if (isWritten) {
            return;
        }
        try {
            writeChunks();
            isWritten = true;
        } catch (final FileException ex) {
            throw failed("a transaction can't be staged: ", ex);
        }
    }

    /** Makes the file durable, written before or not. May block. */
    void force() {
        write();
        if (isForced) {
            return;
        }
        try {
            file.force();
            files.forceDirectory(path.getParent());
            isForced = true;
        } catch (final FileException ex) {
            throw failed("a staged transaction is not durable: ", ex);
        }
        giveChunks();
    }

    /** Frees the memory and leaves the file as it is. */
    void close() {
        giveChunks();
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /** Frees the memory and deletes the file, if it was made. */
    void drop() {
        final boolean isMade = file != null;
        close();
        if (isMade) {
            files.delete(path);
        }
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

    private void requireWhole() {
        if (isLost) {
            throw new LogException(path + " could not be written or forced before: its transaction is lost");
        }
    }

    private void nextChunk() {
        sealChunk();
        current = memory.tryTake();
        if (current == null) {
            spill();
            current = memory.take();
        }
    }

    private void sealChunk() {
        checksum.update(current.flip());
        chunks.add(current.flip());
        current = null;
    }

    private void spill() {
        isSpilled = true;
        try {
            writeChunks();
        } catch (final FileException ex) {
            throw failed("a record can't be staged: ", ex);
        }
        giveChunks();
    }

    private void writeChunks() {
        if (file == null) {
            file = files.create(path);
            final ByteBuffer head = head();
            fileLength = head.remaining();
            file.write(0, head);
        }
        for (final ByteBuffer chunk : chunks) {
            // From its begin, wherever an attempt that failed has left it.
            file.write(fileLength, chunk.rewind());
            fileLength += chunk.limit();
        }
    }

    private ByteBuffer head() {
        final byte[] writer = writerId.getBytes(UTF_8);
        return ByteBuffer.allocate(FIXED_HEADER_LENGTH + writer.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(writer.length)
                .put(writer)
                .flip();
    }

    /** A file that failed is never used again: what the disk has of it is unknown. */
    private LogException failed(final String what, final FileException cause) {
        final LogException failure = new LogException(what + cause.getMessage(), cause);
        isLost = isSpilled;
        isWritten = false;
        if (!isLost && file != null) {
            file.close();
            file = null;
            try {
                files.delete(path);
            } catch (final FileException ex) {
                // Then it can't be made anew either.
                isLost = true;
                failure.addSuppressed(ex);
            }
        }
        return failure;
    }

    private void giveChunks() {
        if (current != null) {
            memory.give(current);
            current = null;
        }
        chunks.forEach(memory::give);
        chunks.clear();
    }
}
