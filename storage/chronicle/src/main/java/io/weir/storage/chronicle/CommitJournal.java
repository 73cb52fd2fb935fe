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
 *   file  | magic 4 | version 4 | length of what was written with the header 4 | CRC32C 4 of all before it | entries ...
 *   entry | payload length 4 | its complement 4 | type 4 | payload | CRC32C 4 of all before it |
 *   INTENT    payload  last index of the queue before the commit 8 | handle
 *   COMMITTED payload  incarnation 8 | first sequence 8 | last sequence 8 | last index of the queue behind it 8 |
 *                      digest of the writer id 8 | spans
 *   SPANS     payload  spans
 *   span               first index 8 | last index 8 | checksum 4
 * </pre>
 *
 * <p>The spans of a commit are those that it began or made longer; SPANS has those of earlier ones in a compacted journal. The
 * COMMITTED entries of a writer stand in the order of its commits, also in a compacted journal. A family of writers stands there as
 * a writer does, see {@link TransactionHandle#ofFamily}: its entry comes with each commit of one of them, and before that commit's,
 * which ends the intent.
 *
 * <p>Early versions had no length and no checksum in the header. Version 3 had no digests of writers: the order of their
 * incarnations is unknown until they commit again. Version 2 had no spans either: what was committed under it can't be checked.
 *
 * <p>An intent is forced before the first record goes to the queue, so that records behind its last index are known to be its
 * own. A committed entry need not be forced: if it is lost, the intent leads to the whole transaction in the queue.
 */
final class CommitJournal implements AutoCloseable {
    private static final int MAGIC = 0x4A435857;
    private static final int VERSION = 4;
    private static final int VERSION_WITHOUT_WRITERS = 3;
    private static final int VERSION_WITHOUT_SPANS = 2;
    private static final int HEADER_LENGTH = 16;
    private static final int EARLY_HEADER_LENGTH = 8;
    private static final int ENTRY_HEADER_LENGTH = 12;
    private static final int ENTRY_OVERHEAD = ENTRY_HEADER_LENGTH + Integer.BYTES;
    private static final int INTENT = 1;
    private static final int COMMITTED = 2;
    private static final int SPANS = 3;
    private static final int COMMITTED_LENGTH = 5 * Long.BYTES;
    private static final int EARLY_COMMITTED_LENGTH = 4 * Long.BYTES;
    private static final int SPAN_LENGTH = 2 * Long.BYTES + Integer.BYTES;
    private static final int SPANS_PER_ENTRY = 4096;
    private static final long NO_RECORD = -1;
    private static final int MAX_PAYLOAD_LENGTH = 1 << 17;
    private static final int MAX_LENGTH = 1 << 30;
    private static final long COMPACT_LENGTH = 4L << 20;

    private final FileStore files;
    private final Path path;
    private final CommittedSequences committed = new CommittedSequences();
    private final List<CommittedSpan> spans = new ArrayList<>();
    private OpenFile file;
    private Intent intent;
    private long committedIndex = NO_RECORD;
    private int version = VERSION;
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
        if (journal.length == 0 || journal.version != VERSION || journal.isLong()) {
            journal.compact();
        } else {
            journal.goOn();
        }
        return journal;
    }

    /** What a journal that is there says of the queue's records; nothing is changed. */
    static CommittedRecords committedIn(final QueueFolder folder) {
        final CommitJournal journal = new CommitJournal(folder.files(), folder.journal());
        journal.read();
        return journal.committedRecords(folder);
    }

    /** What the queue must hold. */
    CommittedRecords committedRecords(final QueueFolder folder) {
        return new CommittedRecords(folder, requiredIndex(), intent != null, List.copyOf(spans));
    }

    /** The index that the queue must hold, because it was its last one when something was committed; -1 for none. */
    private long requiredIndex() {
        return intent == null ? committedIndex : intent.lastIndex();
    }

    /** The newest span, or null. */
    CommittedSpan lastSpan() {
        return spans.isEmpty() ? null : spans.get(spans.size() - 1);
    }

    boolean isCommitted(final TransactionHandle handle) {
        return committed.contains(handle.incarnation(), handle.sequence());
    }

    /** Whether a later transaction of the same incarnation is committed. */
    boolean isOvertaken(final TransactionHandle handle) {
        return committed.last(handle.incarnation()) > handle.sequence();
    }

    /**
     * Whether something was committed after a transaction by its writer, which may have been opened anew for that. A transaction
     * that is not committed is taken to come after the incarnations that have.
     */
    boolean isFollowed(final TransactionHandle handle) {
        final long newest = newestIncarnation(handle.writerId());
        return isOvertaken(handle)
                || (newest != CommittedSequences.UNKNOWN
                        && newest != handle.incarnation()
                        && committed.last(handle.incarnation()) > 0);
    }

    /** The newest transaction that is known to be committed under a writer's id, or null. */
    TransactionHandle newest(final String writerId) {
        final long newest = newestIncarnation(writerId);
        return newest == CommittedSequences.UNKNOWN
                ? null
                : TransactionHandle.committed(writerId, newest, committed.last(newest));
    }

    private long newestIncarnation(final String writerId) {
        return committed.newest(TransactionHandle.writerDigest(writerId));
    }

    /** Whether nothing was ever committed, as far as is known here. */
    boolean isEmpty() {
        return committed.isEmpty() && intent == null;
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

    /** Notes that the intent was carried out, which spans it changed, and that the queue now ends with an index. */
    void end(final long lastIndex, final List<CommittedSpan> changed) {
        final TransactionHandle handle = intent.handle();
        final long writer = TransactionHandle.writerDigest(handle.writerId());
        final ByteBuffer ofWriter =
                committedEntry(writer, handle.incarnation(), handle.sequence(), handle.sequence(), lastIndex, changed);
        final String family = handle.family();
        if (family == null) {
            write(ofWriter);
        } else {
            final long digest = TransactionHandle.writerDigest(family);
            final ByteBuffer ofFamily =
                    committedEntry(digest, handle.lineage(), 0, handle.checkpointId(), lastIndex, List.of());
            write(ByteBuffer.allocate(ofFamily.remaining() + ofWriter.remaining())
                    .put(ofFamily)
                    .put(ofWriter)
                    .flip());
            committed.add(digest, handle.lineage(), 0, handle.checkpointId());
        }
        committedIndex = lastIndex;
        changed.forEach(this::put);
        committed.add(writer, handle.incarnation(), handle.sequence(), handle.sequence());
        intent = null;
        if (isLong()) {
            compact();
        }
    }

    private boolean isLong() {
        return length > compactedLength + COMPACT_LENGTH;
    }

    /** A restart waits for no disk here: what is not forced is so with the next intent. */
    private void goOn() {
        file = files.open(path);
        isTorn = file.size() > length;
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
        readHeader(bytes);
        while (bytes.hasRemaining()) {
            final int start = bytes.position();
            length = start;
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
        length = bytes.position();
    }

    private void readHeader(final ByteBuffer bytes) {
        if (bytes.remaining() < EARLY_HEADER_LENGTH || bytes.getInt() != MAGIC) {
            throw damaged(0, "it does not begin as a commit journal");
        }
        version = bytes.getInt();
        if (version == VERSION_WITHOUT_SPANS || version == VERSION_WITHOUT_WRITERS) {
            return;
        }
        if (version != VERSION) {
            throw damaged(
                    Integer.BYTES, "version " + version + " is none of " + VERSION_WITHOUT_SPANS + " to " + VERSION);
        }
        if (bytes.limit() < HEADER_LENGTH
                || bytes.getInt(HEADER_LENGTH - Integer.BYTES)
                        != checksumOf(bytes.slice(0, HEADER_LENGTH - Integer.BYTES))) {
            throw damaged(0, "a header with a wrong checksum");
        }
        final int least = bytes.getInt() + HEADER_LENGTH;
        if (bytes.limit() < least) {
            throw damaged(bytes.limit(), "it ends there, and had " + least + " bytes or more");
        }
        compactedLength = least;
        bytes.position(HEADER_LENGTH);
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
        return new LogException(
                path + " is damaged at offset " + offset + ": " + what + "; what was committed to the queue"
                        + " is unknown without it: put a whole copy back, or begin anew with another output");
    }

    private void apply(final int type, final ByteBuffer bytes, final int offset, final int payload) {
        if (type == INTENT) {
            final byte[] handle = new byte[payload - Long.BYTES];
            bytes.get(offset + Long.BYTES, handle);
            intent = new Intent(bytes.getLong(offset), TransactionHandle.decode(handle));
        } else if (type == COMMITTED) {
            final long incarnation = bytes.getLong(offset);
            final boolean isEarly = version != VERSION;
            final long writer = isEarly ? CommittedSequences.UNKNOWN : bytes.getLong(offset + 32);
            committed.add(writer, incarnation, bytes.getLong(offset + 8), bytes.getLong(offset + 16));
            committedIndex = bytes.getLong(offset + 24);
            applySpans(bytes, offset + (isEarly ? EARLY_COMMITTED_LENGTH : COMMITTED_LENGTH), offset + payload);
            if (intent != null && isCommitted(intent.handle())) {
                intent = null;
            }
        } else if (type == SPANS) {
            applySpans(bytes, offset, offset + payload);
        } else {
            throw damaged(offset, "an entry of type " + type);
        }
    }

    private void applySpans(final ByteBuffer bytes, final int begin, final int end) {
        for (int at = begin; at + SPAN_LENGTH <= end; at += SPAN_LENGTH) {
            put(new CommittedSpan(
                    bytes.getLong(at), bytes.getLong(at + Long.BYTES), bytes.getInt(at + 2 * Long.BYTES)));
        }
    }

    /** A span that has become longer stands for what it was. */
    private void put(final CommittedSpan span) {
        if (!spans.isEmpty() && lastSpan().firstIndex() == span.firstIndex()) {
            spans.set(spans.size() - 1, span);
        } else {
            spans.add(span);
        }
    }

    /** Writes the knowledge anew, without its history. */
    void compact() {
        final List<ByteBuffer> entries = new ArrayList<>();
        for (int i = 0; i < spans.size(); i += SPANS_PER_ENTRY) {
            entries.add(spansEntry(spans.subList(i, Math.min(spans.size(), i + SPANS_PER_ENTRY))));
        }
        committed.forEach((writer, incarnation, first, last) ->
                entries.add(committedEntry(writer, incarnation, first, last, committedIndex, List.of())));
        if (intent != null) {
            entries.add(intentEntry(intent));
        }
        final int entriesLength =
                entries.stream().mapToInt(ByteBuffer::remaining).sum();
        final ByteBuffer bytes = ByteBuffer.allocate(HEADER_LENGTH + entriesLength)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(entriesLength);
        bytes.putInt(checksumOf(bytes.slice(0, bytes.position())));
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
            final long writer,
            final long incarnation,
            final long first,
            final long last,
            final long lastIndex,
            final List<CommittedSpan> changed) {
        final ByteBuffer entry = newEntry(COMMITTED, COMMITTED_LENGTH + changed.size() * SPAN_LENGTH)
                .putLong(incarnation)
                .putLong(first)
                .putLong(last)
                .putLong(lastIndex)
                .putLong(writer);
        return sealed(put(changed, entry));
    }

    private static ByteBuffer spansEntry(final List<CommittedSpan> some) {
        return sealed(put(some, newEntry(SPANS, some.size() * SPAN_LENGTH)));
    }

    private static ByteBuffer put(final List<CommittedSpan> some, final ByteBuffer entry) {
        for (final CommittedSpan span : some) {
            entry.putLong(span.firstIndex()).putLong(span.lastIndex()).putInt(span.checksum());
        }
        return entry;
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
