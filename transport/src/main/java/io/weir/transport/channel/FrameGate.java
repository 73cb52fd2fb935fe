package io.weir.transport.channel;

import io.weir.transport.CaptureHandler;
import io.weir.transport.ControlHandler;
import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The gate of every medium. Channels take turns, a frame at most each; where one poll ends the next goes on with the
 * channel behind, so that a stop in the middle of a batch starves nobody.
 */
public final class FrameGate implements InputGate {
    private final ChannelReader[] readers;
    private final ControlReader controlReader;
    private final List<FrameStream> closeables = new ArrayList<>();
    private final Consumer<InputGate> onClose;
    private int turn;
    private boolean isClosed;

    /**
     * A gate over streams that it owns from now on.
     *
     * @param settings of the task that reads.
     * @param streams of data, one per channel.
     * @param controlStream of the task.
     * @param onClose told once, when the gate is closed.
     */
    public FrameGate(
            final GateSettings settings,
            final FrameStream[] streams,
            final FrameStream controlStream,
            final Consumer<InputGate> onClose) {
        closeables.add(controlStream);
        Collections.addAll(closeables, streams);
        this.onClose = onClose;
        readers = new ChannelReader[streams.length];
        for (int i = 0; i < streams.length; i++) {
            readers[i] = new ChannelReader(
                    new ChannelLabel(settings.name(), "channel " + i),
                    i,
                    settings.attempt(),
                    settings.maxRecordLength(),
                    streams[i]);
        }
        controlReader = new ControlReader(
                new ChannelLabel(settings.name(), "the control stream"),
                settings.attempt(),
                streams.length,
                controlStream);
    }

    @Override
    public int channelCount() {
        return readers.length;
    }

    @Override
    public int pollControl(final ControlHandler handler) {
        return isClosed ? 0 : controlReader.poll(handler);
    }

    @Override
    public int poll(final InputHandler handler, final int limit) {
        final ChannelReader[] readers = this.readers;
        final int count = readers.length;
        if (isClosed || limit <= 0) {
            return 0;
        }
        int index = turn;
        int delivered = 0;
        for (int nothing = 0; nothing < count; ) {
            final ChannelReader reader = readers[index];
            final int read = reader.read(handler, limit - delivered);
            index = index + 1 == count ? 0 : index + 1;
            if (read == 0) {
                nothing++;
            } else {
                nothing = 0;
                delivered += read;
                if (delivered >= limit || reader.isStopped() || isClosed) {
                    break;
                }
            }
        }
        turn = index;
        return delivered;
    }

    @Override
    public void block(final int channelIndex) {
        readers[channelIndex].block();
    }

    @Override
    public void unblock(final int channelIndex) {
        readers[channelIndex].unblock();
    }

    @Override
    public long position(final int channelIndex) {
        return readers[channelIndex].position();
    }

    @Override
    public long cursor(final int channelIndex) {
        return readers[channelIndex].cursor();
    }

    @Override
    public void startCapture(final int channelIndex) {
        readers[channelIndex].startCapture();
    }

    @Override
    public long capture(final int channelIndex, final long endPosition, final CaptureHandler handler) {
        return isClosed ? 0 : readers[channelIndex].capture(endPosition, handler);
    }

    @Override
    public void stopCapture(final int channelIndex) {
        readers[channelIndex].stopCapture();
    }

    @Override
    public long droppedFrames() {
        long dropped = controlReader.droppedFrames();
        for (final ChannelReader reader : readers) {
            dropped += reader.droppedFrames();
        }
        return dropped;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            CloseHelper.closeAll(closeables);
        } finally {
            onClose.accept(this);
        }
    }
}
