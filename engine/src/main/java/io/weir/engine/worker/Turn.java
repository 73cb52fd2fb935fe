package io.weir.engine.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which turn a worker's thread is at: odd numbers while it is in a task, even ones between tasks. Who watches can hold a turn for
 * a moment, so that it does not end meanwhile, or take it, so that it never ends for the thread that began it. One store and one
 * compare-and-set per task and duty cycle, and no clock.
 *
 * <p>{@link #begin} and {@link #end} are the worker's thread's, {@link #hold}, {@link #release} and {@link #take} the watching
 * thread's.
 */
final class Turn {
    private static final VarHandle NUMBER;

    static {
        try {
            NUMBER = MethodHandles.lookup().findVarHandle(Turn.class, "number", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Negative while it is held. */
    @SuppressWarnings("unused") // through the handle
    private volatile long number;

    private Thread thread;
    private boolean held;

    /** The thread goes into a task. What it wrote before is seen by who holds or takes the turn. */
    long begin() {
        thread = Thread.currentThread();
        held = false;
        final long begun = (long) NUMBER.get(this) + 1;
        NUMBER.setRelease(this, begun); // pairs with the compare-and-set of hold and take
        return begun;
    }

    /**
     * The thread has come back from the task.
     *
     * @param begun what {@link #begin} gave.
     * @return false if the turn was taken: the thread must touch nothing of its worker any more.
     */
    boolean end(final long begun) {
        return NUMBER.compareAndSet(this, begun, begun + 1) || endSlowPath(begun);
    }

    private boolean endSlowPath(final long begun) {
        while (Math.abs((long) NUMBER.getVolatile(this)) == begun) { // held, or just released
            if (NUMBER.compareAndSet(this, begun, begun + 1)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** The number now, held or not. */
    long number() {
        return Math.abs((long) NUMBER.getOpaque(this));
    }

    static boolean isInTask(final long number) {
        return (number & 1) == 1;
    }

    /** Keeps the turn from ending until {@link #release}; gives its thread, or null if it has ended. */
    Thread hold(final long begun) {
        if (!NUMBER.compareAndSet(this, begun, -begun)) {
            return null;
        }
        held = true; // the worker's thread reads it behind its own compare-and-set, which waits for the release
        return thread;
    }

    /** Whether the turn that ended last was held, so that its thread may have been interrupted. */
    boolean wasHeld() {
        return held;
    }

    void release(final long held) {
        NUMBER.setVolatile(this, held);
    }

    /** Takes the turn from its thread for ever; gives the thread, or null if it has ended. */
    Thread take(final long begun) {
        return NUMBER.compareAndSet(this, begun, begun + 1) ? thread : null;
    }
}
