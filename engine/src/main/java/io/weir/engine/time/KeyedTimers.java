package io.weir.engine.time;

import io.weir.storage.state.TimerTable;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * An operator's timers by key, of one clock. A due timer is taken out and laid open here, so that what it calls may throw, and
 * set and cancel timers. Task thread; allocates nothing of its own.
 */
public final class KeyedTimers {
    private final TimerTable table;
    private final TimerTable.Handler taker = this::take;
    private final ExpandableArrayBuffer key = new ExpandableArrayBuffer(64);
    private int keyLength;
    private int keyGroup;
    private long time;

    /**
     * Timers over a table.
     *
     * @param table that keeps them.
     */
    public KeyedTimers(final TimerTable table) {
        this.table = table;
    }

    /**
     * Sets a timer; twice is once.
     *
     * @param timerKeyGroup of the key.
     * @param timerNs epoch nanoseconds, below {@link Long#MAX_VALUE}.
     * @param timerKey begins with the key.
     * @param length of the key in bytes.
     */
    public void set(final int timerKeyGroup, final long timerNs, final DirectBuffer timerKey, final int length) {
        if (timerNs == TimerTable.NONE) {
            throw new IllegalArgumentException("a timer's time must be below Long.MAX_VALUE");
        }
        table.set(timerKeyGroup, timerNs, timerKey, 0, length);
    }

    /**
     * Drops a timer, if it is set.
     *
     * @param timerKeyGroup of the key.
     * @param timerNs as it was set.
     * @param timerKey begins with the key.
     * @param length of the key in bytes.
     */
    public void cancel(final int timerKeyGroup, final long timerNs, final DirectBuffer timerKey, final int length) {
        table.cancel(timerKeyGroup, timerNs, timerKey, 0, length);
    }

    /**
     * Takes out the earliest timer if it is due; the accessors then tell about it.
     *
     * @param nowNs of the timers' clock.
     * @return whether there was one.
     */
    public boolean poll(final long nowNs) {
        return table.nextTime() <= nowNs && table.pollDue(nowNs, taker);
    }

    /**
     * The time of the timer that was taken.
     *
     * @return epoch nanoseconds.
     */
    public long timeNs() {
        return time;
    }

    /**
     * The key of the timer that was taken.
     *
     * @return begins with the key; valid until the next {@link #poll}.
     */
    public DirectBuffer key() {
        return key;
    }

    /**
     * The length of that key.
     *
     * @return bytes.
     */
    public int keyLength() {
        return keyLength;
    }

    /**
     * The key group of that key.
     *
     * @return the key group.
     */
    public int keyGroup() {
        return keyGroup;
    }

    private void take(final int timerKeyGroup, final long timerNs, final DirectBuffer timerKey) {
        keyGroup = timerKeyGroup;
        time = timerNs;
        keyLength = timerKey.capacity();
        key.putBytes(0, timerKey, 0, keyLength);
    }
}
