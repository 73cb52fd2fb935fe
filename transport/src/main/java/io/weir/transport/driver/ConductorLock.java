package io.weir.transport.driver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one lock under which the driver and the client conductor run, whoever runs them. Stalled workers try it over and
 * over; so that they can't starve a thread that opens or closes something, a try fails while anybody waits.
 */
final class ConductorLock implements Lock {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void lock() {
        waiting.incrementAndGet();
        try {
            lock.lock();
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        waiting.incrementAndGet();
        try {
            lock.lockInterruptibly();
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public boolean tryLock() {
        return (waiting.get() == 0 || lock.isHeldByCurrentThread()) && lock.tryLock();
    }

    @Override
    public boolean tryLock(final long time, final TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit);
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }
}
