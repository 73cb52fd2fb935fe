package io.weir.engine.task;

import io.weir.engine.operator.Counter;
import java.util.concurrent.atomic.AtomicLong;

/** A counter with one writer: adds without a fence, readers see it soon. */
final class TaskCounter implements Counter {
    private final AtomicLong value = new AtomicLong();

    @Override
    public void add(final long delta) {
        value.setRelease(value.getPlain() + delta);
    }

    @Override
    public long get() {
        return value.getAcquire();
    }
}
