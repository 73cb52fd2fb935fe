package io.weir.storage.state;

import org.agrona.DirectBuffer;

/**
 * An operator's timers: a set of (time, key bytes) by key group, taken out in order of time, ties in order of the key's bytes
 * (so that replays fire alike). Task thread only.
 */
public interface TimerTable {
    /** The time of {@link #nextTime()} when there is no timer. */
    long NONE = Long.MAX_VALUE;

    /**
     * Sets a timer. Setting the same one twice is setting it once.
     *
     * @param keyGroup that the key belongs to; owned by the store.
     * @param time at which it is due; below {@link Long#MAX_VALUE}.
     * @param key buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return whether it was not set yet.
     */
    boolean set(int keyGroup, long time, DirectBuffer key, int offset, int length);

    /**
     * Drops a timer.
     *
     * @param keyGroup that the key belongs to.
     * @param time at which it is due.
     * @param key buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return whether there was one.
     */
    boolean cancel(int keyGroup, long time, DirectBuffer key, int offset, int length);

    /**
     * The time of the earliest timer. Cheap enough for every duty cycle.
     *
     * @return its time, or {@link #NONE}.
     */
    long nextTime();

    /**
     * Takes out the earliest timer if it is due and hands it over; it is gone from the table before the handler runs, which
     * may set and cancel timers.
     *
     * @param now timers with a time at or before it are due.
     * @param handler that takes the timer.
     * @return whether one was due.
     */
    boolean pollDue(long now, Handler handler);

    /**
     * The number of timers.
     *
     * @return timers over all key groups.
     */
    long size();

    /** Takes due timers. */
    @FunctionalInterface
    interface Handler {
        /**
         * One timer; the view is valid during the call only.
         *
         * @param keyGroup of the timer.
         * @param time at which it was due.
         * @param key view of exactly the key's bytes.
         */
        void onTimer(int keyGroup, long time, DirectBuffer key);
    }
}
