package io.weir.engine.harness;

import io.weir.storage.log.LogException;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A log in memory that insists on a transaction being forced before it is committed, and remembers its writers. */
public final class WatchedLog implements TransactionalLog {
    private final MemoryLog log = MemoryLog.bounded(1);
    private final Set<ByteBuffer> forced = new HashSet<>();
    private final Set<String> writerIds = new TreeSet<>();
    private int commits;
    private boolean failForce;

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public TransactionalWriter open(final String writerId, final long attempt) {
        writerIds.add(writerId);
        return new Writer(log.open(writerId, attempt));
    }

    /** What readers can see, as text. */
    public List<String> visible() {
        return log.records(0).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    /** Transactions that are open or prepared. */
    public int pending() {
        return log.pendingTransactions();
    }

    /** Calls of commit, repeated ones too. */
    public int commits() {
        return commits;
    }

    /** Ids of all writers that were ever opened. */
    public Set<String> writerIds() {
        return writerIds;
    }

    /** Lets one commit fail after so many. */
    public void failCommitAfter(final long commits) {
        log.failCommitAfter(commits);
    }

    /** From now on forcing fails, or no longer does. */
    public void failForce(final boolean fail) {
        failForce = fail;
    }

    private final class Writer extends ForwardingWriter {
        Writer(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void recover(final List<byte[]> prepared) {
            prepared.forEach(this::checkForced);
            super.recover(prepared);
        }

        @Override
        public void force(final byte[] handle) {
            if (failForce) {
                throw new LogException(name() + ": no space left");
            }
            super.force(handle);
            forced.add(ByteBuffer.wrap(handle));
        }

        @Override
        public void commit(final byte[] handle) {
            checkForced(handle);
            commits++;
            super.commit(handle);
        }

        private void checkForced(final byte[] handle) {
            if (!forced.contains(ByteBuffer.wrap(handle))) {
                throw new AssertionError("a transaction is committed before it was forced");
            }
        }
    }
}
