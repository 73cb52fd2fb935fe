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
 * The frames of one image. The image's position moves only when a frame is consumed, so all bytes from the cursor on stay
 * in the log buffer. Task thread only.
 */
final class AeronFrameSource implements FrameSource, ControlledFragmentHandler {
    private final Image image;
    private final String name;
    private TermBuffers terms;
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private byte fragmentFlags;
    private long position;
    private long nextPosition;

    AeronFrameSource(final Image image, final String name) {
        this.image = image;
        this.name = name;
        position = image.joinPosition();
    }

    @Override
    public FrameSource ahead() {
        if (terms == null) {
            terms = TermBuffers.map(image, name);
        }
        return new AeronFrameAhead(image, terms, name, position);
    }

    /** Frees what {@link #ahead()} needed; those cursors must not be used any more. */
    void close() {
        if (terms != null) {
            terms.close();
            terms = null;
        }
    }

    @Override
    public int peek() {
        if (length > 0) {
            return length;
        }
        final Image image = this.image;
        for (; ; ) {
            final long from = position;
            final long to = image.controlledPeek(from, this, Long.MAX_VALUE);
            if (length > 0) {
                nextPosition = to;
                return checkWhole();
            }
            if (to == from) {
                return 0;
            }
            // Padding at the end of a term: the handler is not called, and a peek does not cross into the next term.
            image.position(to);
            position = to;
        }
    }

    private int checkWhole() {
        if ((fragmentFlags & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED) {
            throw new TransportException(
                    name + " at position " + position + ": expected a frame in one fragment, found part of one");
        }
        position = nextPosition
                - BitUtil.align(length + DataHeaderFlyweight.HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT);
        return length;
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        // Aeron hands what is thrown in here to an error handler and goes on; so nothing is judged in here.
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        fragmentFlags = header.flags();
        return Action.BREAK;
    }

    @Override
    public DirectBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return offset;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void consume() {
        length = 0;
        position = nextPosition;
        image.position(position);
    }

    @Override
    public boolean isClosed() {
        return image.isClosed();
    }
}
