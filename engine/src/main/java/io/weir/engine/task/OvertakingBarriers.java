package io.weir.engine.task;

import io.weir.engine.barrier.BarrierOptions;
import io.weir.transport.OutputChannel;
import io.weir.transport.TransportException;
import java.util.ArrayDeque;

/**
 * What of one channel goes ahead of everything in its outbox: barriers that overtake, for the data stream, and announcements, for
 * the priority lane. Both stay in order. Task thread only.
 */
final class OvertakingBarriers {
    private final ArrayDeque<Barrier> barriers = new ArrayDeque<>();
    private final ArrayDeque<Announcement> announcements = new ArrayDeque<>();
    private final String name;
    private final OutputChannel channel;

    OvertakingBarriers(final String name, final OutputChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    /**
     * Adds a barrier, and announces it.
     *
     * @param isNext whether it is the next frame of the stream; else the rest of a record comes before it.
     */
    void add(final long checkpointId, final long triggerTimeNs, final int options, final boolean isNext) {
        barriers.add(new Barrier(checkpointId, triggerTimeNs, options));
        announce(checkpointId, triggerTimeNs, options, isNext);
    }

    /**
     * Announces a barrier of this channel, at once if there is room.
     *
     * @param isNext whether no record comes before it any more, so that its place in the stream is known.
     */
    void announce(final long checkpointId, final long triggerTimeNs, final int options, final boolean isNext) {
        announcements.add(new Announcement(
                checkpointId,
                triggerTimeNs,
                isNext ? BarrierOptions.positionFixed(options) : options,
                channel.position()));
        sendAnnouncements();
    }

    /** Whether a barrier waits. */
    boolean hasNext() {
        return !barriers.isEmpty();
    }

    /** Offers the barrier that waits; returns whether it was taken. */
    boolean offerNext() {
        final Barrier next = barriers.peek();
        final boolean isTaken =
                isTaken(name, channel.offerBarrier(next.checkpointId, next.triggerTimeNs, next.options));
        if (isTaken) {
            barriers.remove();
        }
        return isTaken;
    }

    /** Offers all announcements that wait; returns whether all were taken. */
    boolean sendAnnouncements() {
        for (Announcement next; (next = announcements.peek()) != null; announcements.remove()) {
            if (!isTaken(
                    name,
                    channel.offerAnnouncement(next.checkpointId, next.triggerTimeNs, next.options, next.position))) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        return barriers.isEmpty() && announcements.isEmpty();
    }

    static boolean isTaken(final String name, final long result) {
        if (result == OutputChannel.CLOSED) {
            throw new TransportException("channel " + name + ": the receiver has gone");
        }
        return result >= 0;
    }

    private record Barrier(long checkpointId, long triggerTimeNs, int options) {}

    private record Announcement(long checkpointId, long triggerTimeNs, int options, long position) {}
}
