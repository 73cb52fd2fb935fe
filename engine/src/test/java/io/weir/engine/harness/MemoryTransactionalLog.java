package io.weir.engine.harness;

import io.weir.storage.log.LogException;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.DirectBuffer;

/** A transactional log in memory that outlives its writers, and shows what became of every transaction. */
public final class MemoryTransactionalLog implements TransactionalLog {
    private final Map<String, Transaction> prepared = new LinkedHashMap<>();
    private final List<byte[]> visible = new ArrayList<>();
    private final List<String> aborted = new ArrayList<>();
    private final Set<String> writers = new TreeSet<>();
    private int serial;
    private boolean failForce;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public TransactionalWriter open(final String writerId, final long attempt) {
        writers.add(writerId);
        return new Writer(writerId);
    }

    /** The committed records in commit order. */
    public List<byte[]> visible() {
        return visible;
    }

    /** The committed records as text. */
    public List<String> visibleText() {
        return visible.stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    /** Handles of prepared transactions that are neither committed nor aborted. */
    public List<String> pending() {
        return prepared.entrySet().stream()
                .filter(entry -> !entry.getValue().committed)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Handles of aborted transactions. */
    public List<String> aborted() {
        return aborted;
    }

    /** Ids of all writers that were ever opened. */
    public Set<String> writers() {
        return writers;
    }

    /** From now on forcing fails, or no longer does. */
    public void failForce(final boolean fail) {
        failForce = fail;
    }

    private static final class Transaction {
        private final String writerId;
        private final List<byte[]> records;
        private boolean forced;
        private boolean committed;

        Transaction(final String writerId, final List<byte[]> records) {
            this.writerId = writerId;
            this.records = records;
        }
    }

    private final class Writer implements TransactionalWriter {
        private final String writerId;
        private List<byte[]> open = new ArrayList<>();
        private boolean closed;

        Writer(final String writerId) {
            this.writerId = writerId;
        }

        @Override
        public void recover(final List<byte[]> handles) {
            final List<String> wanted = new ArrayList<>();
            for (final byte[] handle : handles) {
                commit(handle);
                wanted.add(text(handle));
            }
            for (final Map.Entry<String, Transaction> entry : List.copyOf(prepared.entrySet())) {
                final Transaction transaction = entry.getValue();
                if (transaction.writerId.equals(writerId)
                        && !transaction.committed
                        && !wanted.contains(entry.getKey())) {
                    abort(entry.getKey().getBytes(StandardCharsets.UTF_8));
                }
            }
        }

        @Override
        public void append(final DirectBuffer buffer, final int offset, final int length) {
            checkOpen();
            final byte[] record = new byte[length];
            buffer.getBytes(offset, record);
            open.add(record);
        }

        @Override
        public byte[] prepare(final long checkpointId) {
            checkOpen();
            if (open.isEmpty()) {
                return null;
            }
            final String handle = writerId + '#' + checkpointId + '#' + serial++;
            prepared.put(handle, new Transaction(writerId, open));
            open = new ArrayList<>();
            return handle.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void force(final byte[] handle) {
            checkOpen();
            if (failForce) {
                throw new LogException("no space left for " + text(handle));
            }
            find(handle).forced = true;
        }

        @Override
        public void commit(final byte[] handle) {
            checkOpen();
            final Transaction transaction = find(handle);
            if (!transaction.forced) {
                throw new AssertionError("commit of " + text(handle) + " before it was forced");
            }
            if (!transaction.committed) {
                transaction.committed = true;
                visible.addAll(transaction.records);
            }
        }

        @Override
        public void abort(final byte[] handle) {
            checkOpen();
            prepared.remove(text(handle));
            aborted.add(text(handle));
        }

        @Override
        public void close() {
            closed = true;
        }

        private Transaction find(final byte[] handle) {
            final Transaction transaction = prepared.get(text(handle));
            if (transaction == null) {
                throw new LogException("transaction " + text(handle) + " is lost");
            }
            return transaction;
        }

        private void checkOpen() {
            if (closed) {
                throw new AssertionError("writer " + writerId + " is closed");
            }
        }
    }

    private static String text(final byte[] handle) {
        return new String(handle, StandardCharsets.UTF_8);
    }
}
