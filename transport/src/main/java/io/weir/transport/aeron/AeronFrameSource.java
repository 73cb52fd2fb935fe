package io.weir.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.weir.transport.TransportException;
import io.weir.transport.channel.FrameSource;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * The frames of one image. The image's position never passes the cursor, so all bytes from the cursor on stay in the log
 * buffer. Task thread only.
 *
 * <p>For small frames the calls cost more than the frames. So one peek looks at several frames ahead, and the position is
 * given to the sender when those are consumed, or when it lags behind the cursor by a sixteenth of a term.
 */
final class AeronFrameSource implements FrameSource, ControlledFragmentHandler {
    private static final int LOOK_AHEAD = 16;
    private static final int FRAME_HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;

    private final Image image;
    private final String name;
    private final int termMask;
    private final int maxLag;
    private final int[] offsets = new int[LOOK_AHEAD];
    private final int[] lengths = new int[LOOK_AHEAD];
    private int current;
    private int count;
    private boolean isFragmented;
    private DirectBuffer buffer;
    private long termPosition;
    private long position;
    private long publishedPosition;

    AeronFrameSource(final Image image, final String name) {
        this.image = image;
        this.name = name;
        termMask = image.termBufferLength() - 1;
        maxLag = image.termBufferLength() / LOOK_AHEAD;
        position = image.joinPosition();
        publishedPosition = position;
    }

    @Override
    public int peek() {
        if (current < count) {
            // The buffer of an image that was closed under us is unmapped after a while.
            return image.isClosed() ? 0 : lengths[current];
        }
        return lookAhead();
    }

    private int lookAhead() {
        current = 0;
        count = 0;
        for (; ; ) {
            final long from = position;
            final long to = image.controlledPeek(from, this, Long.MAX_VALUE);
            if (count > 0) {
                termPosition = from - (from & termMask);
                position = currentPosition();
                return lengths[0];
            }
            if (isFragmented) {
                throw new TransportException(
                        name + " at position " + from + ": expected a frame in one fragment, found part of one");
            }
            if (to == from) {
                return 0;
            }
            // Padding at the end of a term: the handler is not called, and a peek does not cross into the next term.
            position = to;
            publish();
        }
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        // Aeron hands what is thrown in here to an error handler and goes on; so nothing is judged in here.
        if ((header.flags() & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED) {
            isFragmented = true;
            return Action.BREAK;
        }
        this.buffer = buffer;
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        return count == LOOK_AHEAD ? Action.BREAK : Action.CONTINUE;
    }

    @Override
    public DirectBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return offsets[current];
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void consume() {
        final long next =
                position + BitUtil.align(lengths[current] + FRAME_HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT);
        current++;
        if (current < count) {
            position = currentPosition();
            if (position - publishedPosition > maxLag) {
                publish();
            }
        } else {
            position = next;
            publish();
        }
    }

    private long currentPosition() {
        return termPosition + offsets[current] - FRAME_HEADER_LENGTH;
    }

    private void publish() {
        image.position(position);
        publishedPosition = position;
    }

    @Override
    public boolean isClosed() {
        return image.isClosed();
    }
}
