package io.weir.storage.inspect;

import org.agrona.DirectBuffer;

/** Takes the entries of states and timers. */
public interface EntryVisitor {
    /**
     * An entry of a state; the views are valid during the call only.
     *
     * @param keyGroup of the key.
     * @param key view of exactly the key's bytes.
     * @param value view of exactly the value's bytes.
     */
    void onValue(int keyGroup, DirectBuffer key, DirectBuffer value);

    /**
     * A timer; the view is valid during the call only.
     *
     * @param keyGroup of the key.
     * @param time at which it is due.
     * @param key view of exactly the key's bytes.
     */
    void onTimer(int keyGroup, long time, DirectBuffer key);
}
