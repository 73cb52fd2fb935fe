package io.weir.storage.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The newest epoch that is durable with all before it: written by the I/O thread, read by the task thread. */
final class Durability {
    private static final VarHandle EPOCH;

    static {
        try {
            EPOCH = MethodHandles.lookup().findVarHandle(Durability.class, "epoch", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long epoch;

    /** Pairs with {@link #epochRelease}: the flusher's reads of a frame come before the task's writes to it. */
    long epochAcquire() {
        return (long) EPOCH.getAcquire(this);
    }

    /** Pairs with {@link #epochAcquire}. */
    void epochRelease(final long durable) {
        EPOCH.setRelease(this, durable);
    }
}
