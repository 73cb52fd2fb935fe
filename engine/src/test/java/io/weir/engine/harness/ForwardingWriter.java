package io.weir.engine.harness;

import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;

/** A writer that hands everything on to another: what stands in between overrides what it wants to see. */
public class ForwardingWriter implements TransactionalWriter {
    private final TransactionalWriter writer;

    /** Stands in front of it. */
    protected ForwardingWriter(final TransactionalWriter writer) {
        this.writer = writer;
    }

    /** A log whose writers have something in front of them. */
    public static TransactionalLog log(final TransactionalLog log, final UnaryOperator<TransactionalWriter> writers) {
        return new TransactionalLog() {
            @Override
            public String name() {
                return log.name();
            }

            @Override
            public TransactionalWriter open(final String writerId, final long attempt) {
                return writers.apply(log.open(writerId, attempt));
            }
        };
    }

    @Override
    public void requireNewest(final byte[] handle) {
        writer.requireNewest(handle);
    }

    @Override
    public byte[] newest() {
        return writer.newest();
    }

    @Override
    public void resumeFamily(final byte[] mark) {
        writer.resumeFamily(mark);
    }

    @Override
    public byte[] familyMark(final long checkpointId) {
        return writer.familyMark(checkpointId);
    }

    @Override
    public void dropAbandoned() {
        writer.dropAbandoned();
    }

    @Override
    public void recover(final List<byte[]> prepared) {
        writer.recover(prepared);
    }

    @Override
    public void append(final DirectBuffer buffer, final int offset, final int length) {
        writer.append(buffer, offset, length);
    }

    @Override
    public byte[] prepare(final long checkpointId) {
        return writer.prepare(checkpointId);
    }

    @Override
    public void force(final byte[] handle) {
        writer.force(handle);
    }

    @Override
    public void commit(final byte[] handle) {
        writer.commit(handle);
    }

    @Override
    public void abort(final byte[] handle) {
        writer.abort(handle);
    }

    @Override
    public void close() {
        writer.close();
    }
}
