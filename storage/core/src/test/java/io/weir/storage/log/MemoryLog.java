package io.weir.storage.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Both kinds of log in memory, for tests: it outlives its readers and writers as files outlive a process. A position is the
 * record's index. Transactions go to partition 0. Safe for several threads.
 */
public final class MemoryLog implements ReplayableLog, TransactionalLog {
    private final String name;
    private final boolean isBounded;
    private final List<List<byte[]>> partitions = new ArrayList<>();
    private final Map<Long, List<byte[]>> staged = new LinkedHashMap<>();
    private final Map<Long, String> stagedBy = new HashMap<>();
    private final Set<Long> committed = new HashSet<>();
    private final Map<String, Writer> writers = new HashMap<>();
    private final Map<String, Long> attempts = new HashMap<>();
    private final Map<Long, Mark> marks = new HashMap<>();
    private final List<Mark> committedMarks = new ArrayList<>();
    private final Map<String, Lineage> lineages = new HashMap<>();
    private long nextLineage = 1;
    private long nextTransaction = 1;
    private long commitsUntilFailure = Long.MAX_VALUE;
    private long appendsUntilFailure = Long.MAX_VALUE;
    private long forces;

    private MemoryLog(final String name, final int partitionCount, final boolean isBounded) {
        this.name = name;
        this.isBounded = isBounded;
        for (int i = 0; i < partitionCount; i++) {
            partitions.add(new ArrayList<>());
        }
    }

    /**
     * A log whose readers end at what is there when they are opened.
     *
     * @param partitionCount at least 1.
     * @return an empty log.
     */
    public static MemoryLog bounded(final int partitionCount) {
        return new MemoryLog("memory", partitionCount, true);
    }

    /**
     * A log whose readers wait for more for ever.
     *
     * @param partitionCount at least 1.
     * @return an empty log.
     */
    public static MemoryLog unbounded(final int partitionCount) {
        return new MemoryLog("memory", partitionCount, false);
    }

    /**
     * Adds a record, outside any transaction.
     *
     * @param partition index.
     * @param record bytes, copied.
     */
    public synchronized void add(final int partition, final byte[] record) {
        partitions.get(partition).add(record.clone());
    }

    /**
     * What readers can see.
     *
     * @param partition index.
     * @return copies of the records in order.
     */
    public synchronized List<byte[]> records(final int partition) {
        return partitions.get(partition).stream().map(byte[]::clone).toList();
    }

    /**
     * Transactions that are open or prepared.
     *
     * @return how many.
     */
    public synchronized int pendingTransactions() {
        return staged.size();
    }

    /**
     * Successful calls of {@link TransactionalWriter#force}.
     *
     * @return how many.
     */
    public synchronized long forces() {
        return forces;
    }

    /**
     * Makes one commit fail, in whole.
     *
     * @param commits that still succeed before it.
     */
    public synchronized void failCommitAfter(final long commits) {
        commitsUntilFailure = commits;
    }

    /**
     * Makes one append fail, as on a full disk.
     *
     * @param appends that still succeed before it.
     */
    public synchronized void failAppendAfter(final long appends) {
        appendsUntilFailure = appends;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized List<String> partitions() {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            names.add("partition " + i);
        }
        return names;
    }

    @Override
    public synchronized LogReader open(final int partition, final long position) {
        if (partition < 0 || partition >= partitions.size()) {
            throw new LogException(name + " has no partition " + partition);
        }
        final int size = partitions.get(partition).size();
        if (position < 0 || position > size) {
            throw new LogException(name + " does not reach position " + position);
        }
        return new Reader(partition, position, isBounded ? size : Long.MAX_VALUE);
    }

    @Override
    public synchronized TransactionalWriter open(final String writerId, final long attempt) {
        final Writer former = writers.get(writerId);
        if (former != null && former.attempt >= attempt) {
            throw new LogException(name + ": writer " + writerId + " is open with attempt " + former.attempt);
        }
        if (former != null) {
            former.isFenced = true;
        }
        final Writer writer = new Writer(writerId, attempt);
        writers.put(writerId, writer);
        attempts.put(writerId, attempt);
        return writer;
    }

    private static String familyOf(final String writerId) {
        return writerId.substring(0, writerId.lastIndexOf('/') + 1);
    }

    private long freshLineage(final String writerId, final long attempt) {
        final Lineage known = lineages.get(familyOf(writerId));
        if (known != null && known.attempt == attempt && known.writers.add(writerId)) {
            return known.id;
        }
        final Lineage fresh = new Lineage(nextLineage++, attempt, new HashSet<>(Set.of(writerId)));
        lineages.put(familyOf(writerId), fresh);
        return fresh.id;
    }

    /** What checkpoints of writers that began in one attempt have in common. */
    private record Lineage(long id, long attempt, Set<String> writers) {}

    /** How far a family has come. */
    private record Mark(String family, long lineage, long checkpointId) {}

    private synchronized byte[] record(final int partition, final long index) {
        final List<byte[]> of = partitions.get(partition);
        return index < of.size() ? of.get((int) index) : null;
    }

    private final class Reader implements LogReader {
        private final int partition;
        private final long end;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long position;
        private boolean isClosed;

        private Reader(final int partition, final long position, final long end) {
            this.partition = partition;
            this.position = position;
            this.end = end;
        }

        @Override
        public int poll(final LogHandler handler, final int limit) {
            if (isClosed) {
                throw new LogException(name + ": the reader is closed");
            }
            if (position >= end) {
                return END_OF_LOG;
            }
            int count = 0;
            boolean isWanted = true;
            while (isWanted && count < limit && position < end) {
                final byte[] record = record(partition, position);
                if (record == null) {
                    break;
                }
                buffer.wrap(record);
                position++;
                count++;
                isWanted = handler.onRecord(position - 1, position, buffer, 0, record.length);
            }
            return count;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public String describe(final long at) {
            return name + " partition " + partition + " record " + at;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private final class Writer implements TransactionalWriter {
        private final String writerId;
        private final long attempt;
        private long lineage;
        private long open;
        private boolean isFenced;
        private boolean isClosed;

        private Writer(final String writerId, final long attempt) {
            this.writerId = writerId;
            this.attempt = attempt;
            lineage = freshLineage(writerId, attempt);
        }

        @Override
        public void resumeFamily(final byte[] mark) {
            synchronized (MemoryLog.this) {
                final ByteBuffer bytes = ByteBuffer.wrap(mark);
                final Mark resumed = new Mark(familyOf(writerId), bytes.getLong(), bytes.getLong());
                boolean isKnown = false;
                for (final Mark one : committedMarks) {
                    if (one.family.equals(resumed.family)) {
                        isKnown |= one.lineage == resumed.lineage;
                        if (isKnown && (one.lineage != resumed.lineage || one.checkpointId > resumed.checkpointId)) {
                            throw new LogException(name + ": " + one + " was committed after " + resumed);
                        }
                    }
                }
                lineage = resumed.lineage;
            }
        }

        @Override
        public byte[] familyMark(final long checkpointId) {
            return familyOf(writerId).isEmpty()
                    ? null
                    : ByteBuffer.allocate(2 * Long.BYTES)
                            .putLong(lineage)
                            .putLong(checkpointId)
                            .array();
        }

        @Override
        public void dropAbandoned() {
            synchronized (MemoryLog.this) {
                staged.keySet().removeIf(id -> {
                    final String of = stagedBy.get(id);
                    return familyOf(of).equals(familyOf(writerId)) && attempts.get(of) < attempt;
                });
            }
        }

        @Override
        public void requireNewest(final byte[] handle) {
            synchronized (MemoryLog.this) {
                final long newest = handle == null ? 0 : idOf(handle);
                // After a change of parallelism it is one of another writer.
                final String of = handle == null ? writerId : stagedBy.get(newest);
                if (committed.stream().anyMatch(id -> id > newest && of.equals(stagedBy.get(id)))) {
                    throw new LogException(name + ": transaction " + newest + " is not the newest of " + of);
                }
            }
        }

        @Override
        public byte[] newest() {
            synchronized (MemoryLog.this) {
                return committed.stream()
                        .filter(id -> writerId.equals(stagedBy.get(id)))
                        .max(Long::compare)
                        .map(id -> ByteBuffer.allocate(Long.BYTES).putLong(id).array())
                        .orElse(null);
            }
        }

        @Override
        public void recover(final List<byte[]> prepared) {
            synchronized (MemoryLog.this) {
                prepared.forEach(this::commit);
                staged.keySet().removeIf(id -> stagedBy.get(id).equals(writerId));
            }
        }

        @Override
        public void append(final DirectBuffer buffer, final int offset, final int length) {
            synchronized (MemoryLog.this) {
                requireUsable();
                if (appendsUntilFailure-- == 0) {
                    throw new LogException(name + ": no space left");
                }
                if (open == 0) {
                    open = nextTransaction++;
                    staged.put(open, new ArrayList<>());
                    stagedBy.put(open, writerId);
                }
                final byte[] record = new byte[length];
                buffer.getBytes(offset, record);
                staged.get(open).add(record);
            }
        }

        @Override
        public byte[] prepare(final long checkpointId) {
            synchronized (MemoryLog.this) {
                requireUsable();
                if (open == 0) {
                    return null;
                }
                final byte[] handle =
                        ByteBuffer.allocate(Long.BYTES).putLong(open).array();
                marks.put(open, new Mark(familyOf(writerId), lineage, checkpointId));
                open = 0;
                return handle;
            }
        }

        @Override
        public void force(final byte[] handle) {
            synchronized (MemoryLog.this) {
                requireUsable();
                if (!staged.containsKey(idOf(handle))) {
                    throw new LogException(name + ": transaction " + idOf(handle) + " is not prepared");
                }
                forces++;
            }
        }

        @Override
        public void commit(final byte[] handle) {
            synchronized (MemoryLog.this) {
                requireUsable();
                final long id = idOf(handle);
                if (committed.contains(id)) {
                    return;
                }
                if (commitsUntilFailure-- == 0) {
                    throw new LogException(name + ": the commit of transaction " + id + " failed");
                }
                final List<byte[]> records = staged.remove(id);
                if (records == null) {
                    throw new LogException(name + ": transaction " + id + " was aborted");
                }
                partitions.get(0).addAll(records);
                committed.add(id);
                committedMarks.add(marks.get(id));
            }
        }

        @Override
        public void abort(final byte[] handle) {
            synchronized (MemoryLog.this) {
                requireUsable();
                if (committed.contains(idOf(handle))) {
                    throw new LogException(name + ": transaction " + idOf(handle) + " is committed");
                }
                staged.remove(idOf(handle));
            }
        }

        @Override
        public void close() {
            synchronized (MemoryLog.this) {
                if (!isClosed) {
                    isClosed = true;
                    staged.remove(open);
                    writers.remove(writerId, this);
                }
            }
        }

        private void requireUsable() {
            if (isFenced || isClosed) {
                throw new LogException(name + ": writer " + writerId + " attempt " + attempt
                        + (isFenced ? " is fenced" : " is closed"));
            }
        }

        private long idOf(final byte[] handle) {
            return ByteBuffer.wrap(handle).getLong();
        }
    }
}
