package io.weir.engine.task;

import java.util.ArrayDeque;

/**
 * Barriers that have left their outboxes and whose handler has yet to hear of it: an outbox sends also in the middle of a record,
 * when no checkpoint may be decided. Task thread only.
 */
final class SentBarriers {
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();

    void add(final int outputIndex, final long checkpointId) {
        sent.add(new Sent(outputIndex, checkpointId));
    }

    /** The oldest, which is forgotten, or null. */
    Sent poll() {
        return sent.poll();
    }

    /** A barrier that has left. */
    record Sent(int outputIndex, long checkpointId) {}
}
