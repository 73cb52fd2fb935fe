package io.weir.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.weir.transport.TransportException;
import io.weir.transport.channel.FrameSource;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A cursor over the frames of an image that may be terms ahead of it, and gives no room back. Task thread only. */
final class AeronFrameAhead implements FrameSource {
    private final Image image;
    private final TermBuffers terms;
    private final String name;
    private UnsafeBuffer term;
    private int frame;
    private int frameLength;
    private long position;

    AeronFrameAhead(final Image image, final TermBuffers terms, final String name, final long position) {
        this.image = image;
        this.terms = terms;
        this.name = name;
        this.position = position;
    }

    @Override
    public int peek() {
        position = Math.max(position, image.position());
        for (; ; ) {
            term = terms.term(position);
            frame = terms.offset(position);
            frameLength = FrameDescriptor.frameLengthVolatile(term, frame);
            if (frameLength <= 0) {
                return 0;
            }
            if (!FrameDescriptor.isPaddingFrame(term, frame)) {
                return checkWhole();
            }
            consume();
        }
    }

    private int checkWhole() {
        final byte flags = FrameDescriptor.frameFlags(term, frame);
        if ((flags & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED) {
            throw new TransportException(
                    name + " at position " + position + ": expected a frame in one fragment, found part of one");
        }
        return frameLength - DataHeaderFlyweight.HEADER_LENGTH;
    }

    @Override
    public DirectBuffer buffer() {
        return term;
    }

    @Override
    public int offset() {
        return frame + DataHeaderFlyweight.HEADER_LENGTH;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void consume() {
        position += BitUtil.align(frameLength, FrameDescriptor.FRAME_ALIGNMENT);
    }

    @Override
    public boolean isClosed() {
        return image.isClosed();
    }

    @Override
    public FrameSource ahead() {
        return new AeronFrameAhead(image, terms, name, position);
    }
}
