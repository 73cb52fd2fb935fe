package io.weir.engine.simulation;

import io.weir.engine.harness.ForwardingWriter;
import io.weir.storage.log.TransactionalWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writers of transactions that make mistakes. */
final class SinkMistakes {
    private SinkMistakes() {}

    /** What is prepared is shown before its checkpoint is complete. */
    static final class CommitsEarly extends ForwardingWriter {
        CommitsEarly(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void force(final byte[] handle) {
            super.force(handle);
            super.commit(handle);
        }
    }

    /** A checkpoint is acknowledged before its transaction is on the disk. */
    static final class ForcesLate extends ForwardingWriter {
        private final List<byte[]> unforced = new ArrayList<>();

        ForcesLate(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void force(final byte[] handle) {
            unforced.add(handle);
        }

        @Override
        public void commit(final byte[] handle) {
            if (unforced.removeIf(one -> Arrays.equals(one, handle))) {
                super.force(handle);
            }
            super.commit(handle);
        }
    }

    /** A restart does not commit what the checkpoint has prepared. */
    static final class ForgetsPrepared extends ForwardingWriter {
        ForgetsPrepared(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void recover(final List<byte[]> prepared) {
            super.recover(List.of());
        }
    }

    /** A restart commits also what no checkpoint holds. */
    static final class CommitsAborted extends ForwardingWriter {
        private final List<byte[]> forced;

        CommitsAborted(final TransactionalWriter writer, final List<byte[]> forced) {
            super(writer);
            this.forced = forced;
        }

        @Override
        public void force(final byte[] handle) {
            super.force(handle);
            forced.add(handle);
        }

        @Override
        public void recover(final List<byte[]> prepared) {
            final List<byte[]> all = new ArrayList<>(forced);
            forced.clear();
            prepared.stream()
                    .filter(handle -> all.stream().noneMatch(one -> Arrays.equals(one, handle)))
                    .forEach(all::add);
            super.recover(all);
        }
    }
}
