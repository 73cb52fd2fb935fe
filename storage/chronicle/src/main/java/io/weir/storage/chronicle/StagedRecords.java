package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a staging file back, record by record, after its checksum was found right. I/O thread. */
final class StagedRecords implements AutoCloseable {
    private static final int CHUNK_LENGTH = 1 << 18;
    private static final int MAX_HEAD_LENGTH = 1 << 20;

    private final OpenFile file;
    private final TransactionHandle handle;
    private final long start;
    private final long end;
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private ByteBuffer chunk;
    private long position;
    private long remaining;

    private StagedRecords(final OpenFile file, final TransactionHandle handle, final ByteBuffer memory) {
        chunk = memory;
        this.file = file;
        this.handle = handle;
        start = (long) StagedTransaction.FIXED_HEADER_LENGTH + handle.writerId().getBytes(UTF_8).length;
        end = start + handle.length();
    }

    /**
     * Opens and checks a file.
     *
     * @param memory from {@link #newMemory}, the reader's until it is closed; a longer record gets its own.
     * @throws LogException if it isn't what the handle says: it names the file.
     */
    static StagedRecords open(
            final FileStore files, final Path path, final TransactionHandle handle, final ByteBuffer memory) {
        final StagedRecords records = new StagedRecords(files.openReadOnly(path), handle, memory);
        try {
            records.verify();
            return records;
        } catch (final RuntimeException ex) {
            records.close();
            throw ex;
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
        require(Integer.BYTES);
        final int length = chunk.getInt();
        if (length < 0 || length > remaining - Integer.BYTES) {
            throw damaged("a record of " + length + " bytes where " + (remaining - Integer.BYTES) + " are left");
        }
        require(length);
        record.wrap(chunk, chunk.position(), length);
        chunk.position(chunk.position() + length);
        remaining -= Integer.BYTES + length;
        return record;
    }

    @Override
    public void close() {
        file.close();
    }

    /** Who wrote a staging file, or null if its head never reached the file. */
    static String writerOf(final FileStore files, final Path path) {
        try (OpenFile file = files.openReadOnly(path)) {
            return writerOf(file);
        }
    }

    private static String writerOf(final OpenFile file) {
        final ByteBuffer head = ByteBuffer.allocate((int) Math.min(file.size(), MAX_HEAD_LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN);
        file.read(0, head);
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
    }

    private void verify() {
        if (file.size() != end) {
            throw damaged(file.size() + " bytes long, expected " + end);
        }
        if (!handle.writerId().equals(writerOf(file))) {
            throw damaged("its head does not name writer " + handle.writerId());
        }
        final CRC32C checksum = new CRC32C();
        rewind();
        while (position < end) {
            chunk.clear();
            fill();
            chunk.flip();
            checksum.update(chunk);
        }
        if ((int) checksum.getValue() != handle.checksum()) {
            throw damaged("checksum " + Integer.toHexString((int) checksum.getValue()) + ", expected "
                    + Integer.toHexString(handle.checksum()));
        }
        rewind();
    }

    private void rewind() {
        position = start;
        remaining = handle.length();
        chunk.clear().flip();
    }

    /** Sees to it that so many bytes lie in the chunk in one piece. */
    private void require(final int length) {
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
        if (chunk.remaining() < length) {
            throw damaged("it ends at " + position);
        }
    }

    private void fill() {
        final int limit = chunk.limit();
        chunk.limit((int) Math.min(limit, chunk.position() + end - position));
        final int wanted = chunk.remaining();
        final int read = file.read(position, chunk);
        if (read != wanted) {
            throw damaged("it ends at " + (position + read));
        }
        position += read;
        chunk.limit(limit);
    }

    private LogException damaged(final String what) {
        return new LogException(file.path() + " is damaged: " + what + ", for " + handle.describe());
    }

    /** Memory for readers, one after the other: it comes back to the system only with a collection. */
    static ByteBuffer newMemory() {
        return newChunk(CHUNK_LENGTH);
    }

    private static ByteBuffer newChunk(final int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
