package io.weir.storage.chronicle;

import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What was committed to a queue, and what is being committed. Owned by the {@link QueueCommitter}.
 *
 * <pre>
 *   file  | magic 4 | version 4 | entries ...
 *   entry | payload length 4 | its complement 4 | type 4 | payload | CRC32C 4 of all before it |
 *   INTENT    payload  last index of the queue before the commit 8 | handle
 *   COMMITTED payload  incarnation 8 | first sequence 8 | last sequence 8 | last index of the queue behind it 8
 * </pre>
 *
 * <p>An intent is forced before the first record goes to the queue, so that records behind its last index are known to be its
 * own. A committed entry need not be forced: if it is lost, the intent leads to the whole transaction in the queue.
 */
final class CommitJournal implements AutoCloseable {
    private static final int MAGIC = 0x4A435857;
    private static final int VERSION = 2;
    private static final int HEADER_LENGTH = 8;
    private static final int ENTRY_HEADER_LENGTH = 12;
    private static final int ENTRY_OVERHEAD = ENTRY_HEADER_LENGTH + Integer.BYTES;
    private static final int INTENT = 1;
    private static final int COMMITTED = 2;
    private static final long NO_RECORD = -1;
    private static final int MAX_PAYLOAD_LENGTH = 1 << 17;
    private static final int MAX_LENGTH = 1 << 30;
    private static final long COMPACT_LENGTH = 4L << 20;

    private final FileStore files;
    private final Path path;
    private final CommittedSequences committed = new CommittedSequences();
    private OpenFile file;
    private Intent intent;
    private long committedIndex = NO_RECORD;
    private long length;
    private long compactedLength;
    private boolean isTorn;
    private boolean isLost;

    /**
     * A commit that has begun.
     *
     * @param lastIndex of the queue before it, -1 if the queue had no record.
     * @param handle of the transaction.
     */
    record Intent(long lastIndex, TransactionHandle handle) {}

    private CommitJournal(final FileStore files, final Path path) {
        this.files = files;
        this.path = path;
    }

    /** Opens a journal to go on with it, making it if it is missing. */
    static CommitJournal open(final FileStore files, final Path path) {
        final CommitJournal journal = new CommitJournal(files, path);
        if (files.kind(path) != FileKind.ABSENT) {
            journal.read();
        }
        journal.compact();
        return journal;
    }

    /** What a journal that is there says in {@link #requiredIndex}; nothing is changed. */
    static long requiredIndexIn(final FileStore files, final Path path) {
        final CommitJournal journal = new CommitJournal(files, path);
        journal.read();
        return journal.requiredIndex();
    }

    /** The index that the queue must hold, because it was its last one when something was committed; -1 for none. */
    long requiredIndex() {
        return intent == null ? committedIndex : intent.lastIndex();
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
        write(intentEntry(begun));
        intent = begun;
    }

    void force() {
        requireTrusted();
        isLost = true;
        file.force();
        isLost = false;
    }

    /** Notes that the intent was carried out and the queue now ends with an index. */
    void end(final long lastIndex) {
        final TransactionHandle handle = intent.handle();
        write(committedEntry(handle.incarnation(), handle.sequence(), handle.sequence(), lastIndex));
        committedIndex = lastIndex;
        committed.add(handle.incarnation(), handle.sequence(), handle.sequence());
        intent = null;
        if (length > compactedLength + COMPACT_LENGTH) {
            compact();
        }
    }

    @Override
    public void close() {
        file.close();
    }

    private void read() {
        read(ByteBuffer.wrap(DurableFile.read(files, path, MAX_LENGTH)).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Only the last entry may be torn: a write that was cut short, or that the disk never saw (zeros). It is dropped. */
    private void read(final ByteBuffer bytes) {
        if (bytes.remaining() < HEADER_LENGTH || bytes.getInt() != MAGIC || bytes.getInt() != VERSION) {
            throw damaged(0, "no commit journal of version " + VERSION);
        }
        while (bytes.hasRemaining()) {
            final int start = bytes.position();
            if (bytes.remaining() < ENTRY_HEADER_LENGTH || isZero(bytes)) {
                return;
            }
            final int payload = bytes.getInt(start);
            if (payload != ~bytes.getInt(start + Integer.BYTES) || payload < 0 || payload > MAX_PAYLOAD_LENGTH) {
                throw damaged(start, "an entry of " + payload + " bytes");
            }
            final int end = start + payload + ENTRY_HEADER_LENGTH;
            if (end + Integer.BYTES > bytes.limit()) {
                return;
            }
            if (bytes.getInt(end) != checksumOf(bytes.slice(start, end - start))) {
                if (end + Integer.BYTES == bytes.limit()) {
                    return;
                }
                throw damaged(start, "an entry with a wrong checksum");
            }
            apply(bytes.getInt(start + 2 * Integer.BYTES), bytes, start + ENTRY_HEADER_LENGTH, payload);
            bytes.position(end + Integer.BYTES);
        }
    }

    private static boolean isZero(final ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private LogException damaged(final int offset, final String what) {
        return new LogException(path + " is damaged at offset " + offset + ": " + what);
    }

    private void apply(final int type, final ByteBuffer bytes, final int offset, final int payload) {
        if (type == INTENT) {
            final byte[] handle = new byte[payload - Long.BYTES];
            bytes.get(offset + Long.BYTES, handle);
            intent = new Intent(bytes.getLong(offset), TransactionHandle.decode(handle));
        } else if (type == COMMITTED) {
            final long incarnation = bytes.getLong(offset);
            committed.add(incarnation, bytes.getLong(offset + 8), bytes.getLong(offset + 16));
            committedIndex = bytes.getLong(offset + 24);
            if (intent != null && isCommitted(intent.handle())) {
                intent = null;
            }
        } else {
            throw damaged(offset, "an entry of type " + type);
        }
    }

    /** Writes the knowledge anew, without its history. */
    private void compact() {
        final List<ByteBuffer> entries = new ArrayList<>();
        committed.forEach(
                (incarnation, first, last) -> entries.add(committedEntry(incarnation, first, last, committedIndex)));
        if (intent != null) {
            entries.add(intentEntry(intent));
        }
        final ByteBuffer bytes = ByteBuffer.allocate(HEADER_LENGTH
                        + entries.stream().mapToInt(ByteBuffer::remaining).sum())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION);
        entries.forEach(bytes::put);
        isLost = true;
        DurableFile.replace(files, path, bytes.flip());
        final OpenFile old = file;
        file = files.open(path);
        isLost = false;
        length = bytes.limit();
        compactedLength = length;
        if (old != null) {
            old.close();
        }
    }

    /** Half an entry of a write that failed must not stay in the middle. */
    private void write(final ByteBuffer entry) {
        if (isLost) {
            throw new LogException(
                    path + " could not be replaced before, so that it can't be trusted: open the log anew");
        }
        final int entryLength = entry.remaining();
        if (isTorn) {
            file.truncate(length);
        }
        isTorn = true;
        file.write(length, entry);
        length += entryLength;
        isTorn = false;
    }

    private void requireTrusted() {
        if (isLost) {
            throw new LogException(
                    path + " could not be forced or replaced before: what it holds is unknown, open the log anew");
        }
    }

    private static ByteBuffer intentEntry(final Intent intent) {
        final byte[] handle = intent.handle().encode();
        return sealed(newEntry(INTENT, Long.BYTES + handle.length)
                .putLong(intent.lastIndex())
                .put(handle));
    }

    private static ByteBuffer committedEntry(
            final long incarnation, final long first, final long last, final long lastIndex) {
        return sealed(newEntry(COMMITTED, 4 * Long.BYTES)
                .putLong(incarnation)
                .putLong(first)
                .putLong(last)
                .putLong(lastIndex));
    }

    private static ByteBuffer newEntry(final int type, final int payload) {
        return ByteBuffer.allocate(payload + ENTRY_OVERHEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload)
                .putInt(~payload)
                .putInt(type);
    }

    private static ByteBuffer sealed(final ByteBuffer entry) {
        return entry.putInt(checksumOf(entry.slice(0, entry.position()))).flip();
    }

    private static int checksumOf(final ByteBuffer bytes) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
