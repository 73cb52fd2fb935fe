package io.weir.benchmarks.engine;

import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/** A log that keeps nothing and counts what is appended. */
final class CountingLog implements TransactionalLog {
    private final AtomicLong appended = new AtomicLong();

    /** Records appended so far. */
    long appended() {
        return appended.getAcquire();
    }

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public TransactionalWriter open(final String writerId, final long attempt) {
        return new Writer();
    }

    private final class Writer implements TransactionalWriter {
        @Override
        public void recover(final List<byte[]> prepared) {
            // Nothing is kept.
        }

        @Override
        public void append(final DirectBuffer buffer, final int offset, final int length) {
            appended.setRelease(appended.getPlain() + 1);
        }

        @Override
        public byte[] prepare(final long checkpointId) {
            return null;
        }

        @Override
        public void force(final byte[] handle) {
            // Nothing is kept.
        }

        @Override
        public void commit(final byte[] handle) {
            // Nothing is kept.
        }

        @Override
        public void abort(final byte[] handle) {
            // Nothing is kept.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
