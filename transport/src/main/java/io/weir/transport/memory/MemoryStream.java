package io.weir.transport.memory;

import io.weir.transport.channel.FrameSource;
import io.weir.transport.channel.FrameStream;
import java.util.ArrayList;
import java.util.List;

/** All links of one stream, and the receiver that is joined to them or not. */
final class MemoryStream {
    private final List<MemoryLink> links = new ArrayList<>();
    private Receiver receiver;
    private boolean wasJoined;

    void add(final MemoryLink link) {
        links.add(link);
    }

    /** A link whose sender has closed is of use only to a receiver that still reads it. */
    void sweep() {
        if (receiver == null) {
            links.removeIf(MemoryLink::isSenderClosed);
        }
    }

    boolean isUnused() {
        return receiver == null && links.isEmpty();
    }

    FrameStream join(final Runnable onLeave) {
        if (receiver != null) {
            throw new IllegalArgumentException("a stream in memory has one receiver at a time");
        }
        wasJoined = true;
        receiver = new Receiver(onLeave);
        return receiver;
    }

    boolean isJoined() {
        return receiver != null;
    }

    boolean wasJoined() {
        return wasJoined;
    }

    private final class Receiver implements FrameStream {
        private final Runnable onLeave;

        private Receiver(final Runnable onLeave) {
            this.onLeave = onLeave;
        }

        @Override
        public int sourceCount() {
            return links.size();
        }

        @Override
        public FrameSource source(final int index) {
            return links.get(index).source();
        }

        @Override
        public void close() {
            if (receiver == this) {
                receiver = null;
                onLeave.run();
            }
        }
    }
}
