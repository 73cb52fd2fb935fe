package io.weir.transport;

import org.agrona.DirectBuffer;

/**
 * The sending end of a channel: one upstream task's data stream to one downstream task, and its share of that task's
 * priority control stream. Upstream task's thread only. Nothing here blocks or allocates.
 *
 * <p>Every {@code offer} takes the whole of what it is given or nothing. It returns the data stream's position after
 * the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}. Until the receiver has joined, offers are back-pressured;
 * nothing offered successfully can be missed by it (a missing frame is an error at the receiver, see {@link InputGate}).
 */
public interface OutputChannel extends AutoCloseable {
    /** There is no room now, or the receiver has not joined yet: drain later and offer again. */
    long BACK_PRESSURED = -1;

    /** The channel is closed, at this end or because the receiver has gone: no later offer can succeed. */
    long CLOSED = -2;

    /** Fragment flag: these bytes begin a record. */
    int BEGIN_RECORD = 1;

    /** Fragment flag: these bytes end a record. */
    int END_RECORD = 2;

    /**
     * The most bytes of records that one batch or fragment may hold.
     *
     * @return a positive multiple of 8.
     */
    int maxBatchLength();

    /**
     * The most bytes of one encoded record, its header and padding included; at least 1 MiB.
     *
     * @return the limit in bytes, as set in the transport's context.
     */
    int maxRecordLength();

    /**
     * Offers a batch of whole records, each laid out as {@link io.weir.transport.frame.RecordFlyweight} says.
     *
     * @param buffer that holds the records back to back.
     * @param offset of the first record.
     * @param length of all records in bytes, in (0, {@link #maxBatchLength()}], a multiple of 8.
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerBatch(DirectBuffer buffer, int offset, int length);

    /**
     * Offers a part of one record that is longer than {@link #maxBatchLength()}. The parts of a record go out in order,
     * with nothing else in between; the receiver puts them together.
     *
     * @param flags {@link #BEGIN_RECORD} on the first part, {@link #END_RECORD} on the last.
     * @param buffer that holds the encoded record (header included).
     * @param offset of the part.
     * @param length of the part, in (0, {@link #maxBatchLength()}].
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerFragment(int flags, DirectBuffer buffer, int offset, int length);

    /**
     * Offers an event time watermark: no record with a timestamp at or below it follows, late records apart.
     *
     * @param watermarkNs in event time nanoseconds; {@link Long#MAX_VALUE} ends event time.
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerWatermark(long watermarkNs);

    /**
     * Tells that this channel shall not hold back the receiver's watermark until the next record or watermark.
     *
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerIdle();

    /**
     * Offers the inline barrier: the fence in the data stream that no record crosses.
     *
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options opaque to the transport: how the barrier is to be handled.
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerBarrier(long checkpointId, long triggerTimeNs, int options);

    /**
     * Offers an in-order cancellation of a checkpoint whose barrier will not come on this channel.
     *
     * @param checkpointId that is given up.
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerCancellation(long checkpointId);

    /**
     * Offers the end of data: nothing but the close of the channel follows.
     *
     * @return the position after the frame, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerEndOfData();

    /**
     * Announces a barrier on the priority lane; the announcement can overtake all data in flight.
     *
     * @param checkpointId that the barrier belongs to.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options opaque to the transport.
     * @param position of this data stream at which the inline barrier belongs.
     * @return a non-negative value, or {@link #BACK_PRESSURED} or {@link #CLOSED}.
     */
    long offerAnnouncement(long checkpointId, long triggerTimeNs, int options, long position);

    /**
     * The position of the data stream after the last frame that was offered successfully.
     *
     * @return the position in bytes, 0 before the first frame.
     */
    long position();

    /** Frees this end. Idempotent. What was offered stays readable by the receiver until it closes its own end. */
    @Override
    void close();
}
