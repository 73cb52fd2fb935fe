package io.weir.benchmarks.transport;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.weir.transport.Transport;
import io.weir.transport.aeron.AeronContext;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron without us, on the same driver with the same terms: messages of one or more values, of which the receiver reads as
 * much as ours does.
 */
final class RawAeronLane implements Lane, FragmentHandler {
    enum Write {
        /** Claims room in the log and writes the values there. */
        CLAIM,
        /** Gathers the values in a buffer and has Aeron copy it. */
        OFFER
    }

    private static final int FRAGMENT_LIMIT = 64;

    private final Transport transport;
    private final Aeron aeron;
    private final ReentrantLock clientTurn = new ReentrantLock();
    private final Write write;
    private final int messageSize;
    private final int batchSize;
    private final Subscription subscription;
    private final ExclusivePublication publication;
    private final BufferClaim claim = new BufferClaim();
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
    private final UnsafeBuffer message;
    private Image image;
    private long timestampNs;
    private long checksum;
    private int received;

    RawAeronLane(
            final Transport transport,
            final Aeron aeron,
            final Write write,
            final int messageSize,
            final int batchSize) {
        this.transport = transport;
        this.aeron = aeron;
        this.write = write;
        this.messageSize = messageSize;
        this.batchSize = batchSize;
        message = new UnsafeBuffer(new byte[messageSize * VALUE_LENGTH]);
        final int streamId = transport.nextStreamId();
        final long subscriptionId = aeron.asyncAddSubscription("aeron:ipc", streamId);
        final long publicationId = aeron.asyncAddExclusivePublication(
                "aeron:ipc?term-length=" + AeronContext.DATA_TERM_LENGTH_DEFAULT + "|mtu="
                        + AeronContext.MTU_LENGTH_DEFAULT,
                streamId);
        Subscription foundSubscription = null;
        ExclusivePublication foundPublication = null;
        while (foundSubscription == null || foundPublication == null) {
            pump();
            foundSubscription = foundSubscription == null ? aeron.getSubscription(subscriptionId) : foundSubscription;
            foundPublication =
                    foundPublication == null ? aeron.getExclusivePublication(publicationId) : foundPublication;
        }
        subscription = foundSubscription;
        publication = foundPublication;
    }

    @Override
    public String name() {
        final String how = write == Write.CLAIM ? "claim" : "offer";
        return messageSize == 1 && batchSize > 1 ? "raw " + how + " one by one" : "raw " + how + " batch";
    }

    @Override
    public int batchSize() {
        return batchSize;
    }

    @Override
    public int send() {
        int sent = 0;
        while (sent < batchSize && (write == Write.CLAIM ? claim() : offer())) {
            sent += messageSize;
        }
        return sent;
    }

    private boolean claim() {
        if (publication.tryClaim(messageSize * VALUE_LENGTH, claim) < 0) {
            return false;
        }
        for (int i = 0; i < messageSize; i++) {
            value.putLong(0, ++timestampNs);
            claim.buffer().putBytes(claim.offset() + i * VALUE_LENGTH, value, 0, VALUE_LENGTH);
        }
        claim.commit();
        return true;
    }

    private boolean offer() {
        for (int i = 0; i < messageSize; i++) {
            message.putLong(i * VALUE_LENGTH, ++timestampNs);
        }
        return publication.offer(message, 0, messageSize * VALUE_LENGTH) > 0;
    }

    @Override
    public int receive() {
        if (image == null) {
            if (subscription.imageCount() == 0) {
                return 0;
            }
            image = subscription.imageAtIndex(0);
        }
        received = 0;
        image.poll(this, FRAGMENT_LIMIT);
        return received;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        for (int at = offset; at < offset + length; at += VALUE_LENGTH) {
            checksum += buffer.getLong(at);
            received++;
        }
    }

    @Override
    public void pump() {
        transport.pump();
        if (clientTurn.tryLock()) {
            try {
                aeron.conductorAgentInvoker().invoke();
            } finally {
                clientTurn.unlock();
            }
        }
    }

    @Override
    public long checksum() {
        return checksum;
    }

    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
