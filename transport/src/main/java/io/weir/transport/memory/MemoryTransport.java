package io.weir.transport.memory;

import io.weir.transport.InputGate;
import io.weir.transport.JvmFlags;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import io.weir.transport.TransportException;
import io.weir.transport.channel.FrameGate;
import io.weir.transport.channel.FrameStream;
import io.weir.transport.channel.GateSettings;
import io.weir.transport.channel.OfferGuard;
import io.weir.transport.frame.FrameStamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Channels in memory: deterministic, bounded, without threads, clocks or anything random. All calls, also on gates and
 * channels, by one thread, or by several that hand over to each other.
 */
public final class MemoryTransport implements Transport {
    private final MemorySettings settings;
    private final Int2ObjectHashMap<MemoryStream> streams = new Int2ObjectHashMap<>();
    private final List<MemoryLink> links = new ArrayList<>();
    private final Set<AutoCloseable> open = new LinkedHashSet<>();
    private int lastStreamId;
    private boolean isClosed;

    private MemoryTransport(final MemorySettings settings) {
        this.settings = settings;
    }

    /**
     * Makes a transport.
     *
     * @param context of it; later changes of the context have no effect.
     * @return the transport.
     * @throws IllegalArgumentException if the context has a value out of range.
     * @throws IllegalStateException if the JVM lacks a flag.
     */
    public static MemoryTransport launch(final MemoryContext context) {
        JvmFlags.check();
        return new MemoryTransport(context.conclude());
    }

    /**
     * The links whose senders are open, in the order of opening; a sender has one of data and then one of control.
     *
     * @return a view, not to be changed.
     */
    public List<MemoryLink> links() {
        return Collections.unmodifiableList(links);
    }

    /**
     * The link of the sender that opened a stream first, among those open.
     *
     * @param streamId of data or control.
     * @return the link.
     * @throws IllegalArgumentException if no sender has the stream open.
     */
    public MemoryLink link(final int streamId) {
        for (final MemoryLink link : links) {
            if (link.streamId() == streamId) {
                return link;
            }
        }
        throw new IllegalArgumentException("no sender has stream " + streamId + " open");
    }

    @Override
    public int nextStreamId() {
        return ++lastStreamId;
    }

    @Override
    public int bufferLength(final long channelCount) {
        return settings.dataCapacity();
    }

    @Override
    public InputGate openGate(
            final int attempt, final String name, final int[] dataStreamIds, final int controlStreamId) {
        checkOpen(name);
        final List<FrameStream> opened = new ArrayList<>();
        try {
            final FrameStream control = join(opened, controlStreamId);
            final FrameStream[] data = new FrameStream[dataStreamIds.length];
            for (int i = 0; i < data.length; i++) {
                data[i] = join(opened, dataStreamIds[i]);
            }
            final InputGate gate = new FrameGate(
                    new GateSettings(attempt, name, settings.maxRecordLength()), data, control, open::remove);
            open.add(gate);
            return gate;
        } catch (final RuntimeException e) {
            opened.forEach(CloseHelper::quietClose);
            throw e;
        }
    }

    private FrameStream join(final List<FrameStream> opened, final int streamId) {
        final FrameStream joined = stream(streamId).join(() -> sweep(streamId));
        opened.add(joined);
        return joined;
    }

    @Override
    public OutputChannel openOutput(
            final int attempt,
            final String name,
            final int dataStreamId,
            final int controlStreamId,
            final int channelIndex,
            final int bufferLength) {
        checkOpen(name);
        final MemoryEnd data = openEnd(name, dataStreamId, bufferLength);
        final MemoryEnd control = openEnd(name, controlStreamId, settings.controlCapacity());
        final MemoryOutputChannel output = new MemoryOutputChannel(
                new OfferGuard(name, settings.maxBatchLength(), settings.maxRecordLength()),
                data,
                control,
                new FrameStamp(attempt, channelIndex),
                new FrameStamp(attempt, channelIndex),
                closed -> forget(closed, data, control));
        open.add(output);
        return output;
    }

    private MemoryEnd openEnd(final String name, final int streamId, final int capacity) {
        final MemoryStream stream = stream(streamId);
        final MemoryLink link = new MemoryLink(name, streamId, capacity);
        stream.add(link);
        links.add(link);
        return new MemoryEnd(stream, link);
    }

    private void forget(final OutputChannel output, final MemoryEnd data, final MemoryEnd control) {
        open.remove(output);
        links.remove(data.link());
        links.remove(control.link());
        sweep(data.link().streamId());
        sweep(control.link().streamId());
    }

    private MemoryStream stream(final int streamId) {
        return streams.computeIfAbsent(streamId, id -> new MemoryStream());
    }

    private void sweep(final int streamId) {
        final MemoryStream stream = streams.get(streamId);
        if (stream != null) {
            stream.sweep();
            if (stream.isUnused()) {
                streams.remove(streamId);
            }
        }
    }

    private void checkOpen(final String name) {
        if (isClosed) {
            throw new TransportException("can't open " + name + ": the transport is closed");
        }
    }

    /** The streams that somebody has open. */
    int streamCount() {
        return streams.size();
    }

    @Override
    public int pump() {
        return 0;
    }

    @Override
    public void close() {
        isClosed = true;
        CloseHelper.closeAll(List.copyOf(open));
    }
}
