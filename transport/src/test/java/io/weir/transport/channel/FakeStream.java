package io.weir.transport.channel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A stream whose frames a test forges. Each frame has a buffer of just its length, so that no read can leave it. */
final class FakeStream implements FrameStream {
    private final List<Source> sources = new ArrayList<>();
    private boolean isClosed;

    Source join() {
        final Source source = new Source();
        sources.add(source);
        return source;
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public int sourceCount() {
        return sources.size();
    }

    @Override
    public FrameSource source(final int index) {
        return sources.get(index);
    }

    @Override
    public void close() {
        isClosed = true;
    }

    static final class Source implements FrameSource {
        private final Deque<byte[]> frames = new ArrayDeque<>();
        private final UnsafeBuffer peeked = new UnsafeBuffer(0, 0);
        private long position;
        private boolean isGone;

        void add(final byte[] frame) {
            frames.add(frame);
        }

        void leave() {
            isGone = true;
        }

        @Override
        public int peek() {
            if (frames.isEmpty()) {
                return 0;
            }
            peeked.wrap(frames.peek());
            return peeked.capacity();
        }

        @Override
        public DirectBuffer buffer() {
            return peeked;
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void consume() {
            position += frames.remove().length;
        }

        @Override
        public boolean isClosed() {
            return isGone;
        }

        @Override
        public FrameSource ahead() {
            throw new UnsupportedOperationException("these frames are read in order only");
        }
    }
}
