package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * What was committed to a queue, and what is being committed. Owned by the {@link QueueCommitter}.
 *
 * <pre>
 *   file  | magic 4 | version 4 | entries ...
 *   entry | length 4 | type 4 | payload | CRC32C 4 of length, type and payload |
 *   INTENT    payload  last index of the queue before the commit 8 | handle
 *   COMMITTED payload  incarnation 8 | first sequence 8 | last sequence 8
 * </pre>
 *
 * <p>An intent is forced before the first record goes to the queue, so that records behind its last index are known to be its
 * own. A committed entry need not be forced: if it is lost, the intent leads to the whole transaction in the queue.
 */
final class CommitJournal implements AutoCloseable {
    private static final int MAGIC = 0x4A435857;
    private static final int VERSION = 1;
    private static final int HEADER_LENGTH = 8;
    private static final int ENTRY_OVERHEAD = 12;
    private static final int INTENT = 1;
    private static final int COMMITTED = 2;
    private static final int MAX_PAYLOAD_LENGTH = 1 << 17;
    private static final long COMPACT_LENGTH = 4 << 20;

    private final Path file;
    private final CommittedSequences committed = new CommittedSequences();
    private FileChannel channel;
    private Intent intent;
    private long compactedLength;

    /**
     * A commit that has begun.
     *
     * @param lastIndex of the queue before it, -1 if the queue had no record.
     * @param handle of the transaction.
     */
    record Intent(long lastIndex, TransactionHandle handle) {}

    CommitJournal(final Path file) {
        this.file = file;
        try {
            if (Files.exists(file)) {
                read();
            }
            compact();
        } catch (final IOException ex) {
            throw new LogException(file + " can't be read: " + ex, ex);
        }
    }

    boolean isCommitted(final TransactionHandle handle) {
        return committed.contains(handle.incarnation(), handle.sequence());
    }

    /** Whether a later transaction of the same incarnation is committed. */
    boolean isOvertaken(final TransactionHandle handle) {
        return committed.last(handle.incarnation()) > handle.sequence();
    }

    /** The commit that has begun and not ended, or null. */
    Intent intent() {
        return intent;
    }

    void begin(final Intent begun) {
        final byte[] handle = begun.handle().encode();
        write(
                INTENT,
                ByteBuffer.allocate(Long.BYTES + handle.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(begun.lastIndex())
                        .put(handle)
                        .flip());
        intent = begun;
    }

    void force() {
        try {
            channel.force(false);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be forced: " + ex, ex);
        }
    }

    void end() {
        final TransactionHandle handle = intent.handle();
        write(COMMITTED, committedEntry(handle.incarnation(), handle.sequence(), handle.sequence()));
        committed.add(handle.incarnation(), handle.sequence(), handle.sequence());
        intent = null;
        try {
            if (channel.position() > compactedLength + COMPACT_LENGTH) {
                compact();
            }
        } catch (final IOException ex) {
            throw new LogException(file + " can't be compacted: " + ex, ex);
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

    private void read() throws IOException {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < HEADER_LENGTH || bytes.getInt() != MAGIC || bytes.getInt() != VERSION) {
            throw new LogException(file + " is damaged: no commit journal of version " + VERSION);
        }
        while (bytes.hasRemaining()) {
            final int start = bytes.position();
            final int length = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt(start);
            final int end = start + length + ENTRY_OVERHEAD - Integer.BYTES;
            if (length < 0 || length > MAX_PAYLOAD_LENGTH) {
                throw damaged(start, "an entry of " + length + " bytes");
            }
            final boolean isWhole = end + Integer.BYTES <= bytes.limit();
            if (!isWhole || bytes.getInt(end) != checksumOf(bytes.slice(start, end - start))) {
                requireTorn(bytes, start, isWhole && end + Integer.BYTES < bytes.limit());
                return;
            }
            apply(bytes.getInt(start + Integer.BYTES), bytes, start + 2 * Integer.BYTES, length);
            bytes.position(end + Integer.BYTES);
        }
    }

    /** Only the last entry may be torn: a write that was cut short, or that the disk never saw (zeros). */
    private void requireTorn(final ByteBuffer bytes, final int start, final boolean isInMiddle) {
        for (int i = start; i < bytes.limit() && isInMiddle; i++) {
            if (bytes.get(i) != 0) {
                throw damaged(start, "an entry with a wrong checksum");
            }
        }
    }

    private LogException damaged(final int offset, final String what) {
        return new LogException(file + " is damaged at offset " + offset + ": " + what);
    }

    private void apply(final int type, final ByteBuffer bytes, final int offset, final int length) {
        if (type == INTENT) {
            final byte[] handle = new byte[length - Long.BYTES];
            bytes.get(offset + Long.BYTES, handle);
            intent = new Intent(bytes.getLong(offset), TransactionHandle.decode(handle));
        } else if (type == COMMITTED) {
            final long incarnation = bytes.getLong(offset);
            committed.add(incarnation, bytes.getLong(offset + 8), bytes.getLong(offset + 16));
            if (intent != null && isCommitted(intent.handle())) {
                intent = null;
            }
        } else {
            throw damaged(offset, "an entry of type " + type);
        }
    }

    /** Writes the knowledge anew, without its history. The old file stays in use if that fails. */
    private void compact() throws IOException {
        final Path temporary = temporary();
        QueueFolder.delete(temporary);
        final FileChannel old = channel;
        channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.write(ByteBuffer.allocate(HEADER_LENGTH)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(MAGIC)
                    .putInt(VERSION)
                    .flip());
            committed.forEach((incarnation, first, last) -> write(COMMITTED, committedEntry(incarnation, first, last)));
            if (intent != null) {
                begin(intent);
            }
            channel.force(true);
            QueueFolder.replace(file, temporary);
            compactedLength = channel.position();
        } catch (final IOException | LogException ex) {
            channel.close();
            channel = old;
            throw ex;
        }
        if (old != null) {
            old.close();
        }
    }

    private Path temporary() {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    private void write(final int type, final ByteBuffer payload) {
        final int length = payload.remaining();
        final ByteBuffer entry = ByteBuffer.allocate(length + ENTRY_OVERHEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .putInt(type)
                .put(payload);
        entry.putInt(checksumOf(entry.slice(0, entry.position()))).flip();
        long start = -1;
        try {
            start = channel.position();
            while (entry.hasRemaining()) {
                channel.write(entry);
            }
        } catch (final IOException ex) {
            final LogException failure = new LogException(file + " can't be written: " + ex, ex);
            cutBack(start, failure);
            throw failure;
        }
    }

    /** Half an entry must not stay in the middle when the write is tried again. */
    private void cutBack(final long start, final LogException failure) {
        try {
            if (start >= 0) {
                channel.truncate(start);
            }
        } catch (final IOException ex) {
            failure.addSuppressed(ex);
        }
    }

    private static ByteBuffer committedEntry(final long incarnation, final long first, final long last) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(incarnation)
                .putLong(first)
                .putLong(last)
                .flip();
    }

    private static int checksumOf(final ByteBuffer bytes) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
