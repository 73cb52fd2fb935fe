package io.weir.transport.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import io.weir.transport.channel.FrameGate;
import io.weir.transport.channel.FrameStream;
import io.weir.transport.channel.GateSettings;
import io.weir.transport.channel.OfferGuard;
import io.weir.transport.driver.DriverConnection;
import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.FrameStamp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.CloseHelper;

/**
 * Channels over Aeron IPC, with an embedded media driver that runs when it is pumped, or an external one.
 *
 * <p>A frame is never longer than the MTU less Aeron's header, so it is one fragment: it can be claimed and written in
 * place, read in place, and a stop inside it needs no copy.
 */
public final class AeronTransport implements Transport {
    /** Stream ids below this are left to others on the same driver. */
    private static final int FIRST_STREAM_ID = 1 << 20;

    private static final int MAX_ALIAS_LENGTH = 64;

    private final AeronSettings settings;
    private final DriverConnection connection;
    private final AtomicLong promisedBytes = new AtomicLong();
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

    private AeronTransport(final AeronSettings settings, final DriverConnection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    /**
     * Connects to an external driver if the context names its directory, else launches an embedded one. May block.
     *
     * @param context of the transport; later changes of it have no effect.
     * @return the transport.
     * @throws IllegalStateException if the JVM lacks a flag.
     * @throws IllegalArgumentException if the context has a value out of range.
     * @throws io.weir.transport.NoRoomException if there is no room for an embedded driver's files.
     * @throws io.weir.transport.TransportException if the driver does not run.
     */
    public static AeronTransport launch(final AeronContext context) {
        final AeronSettings settings = context.conclude();
        final DriverConnection connection;
        if (settings.aeronDirectory() == null) {
            final Path parent = settings.embeddedParent() == null ? null : Path.of(settings.embeddedParent());
            connection = DriverConnection.embedded(parent, settings.errorHandler());
        } else {
            connection = DriverConnection.external(
                    settings.aeronDirectory(), settings.driverTimeoutNs(), settings.errorHandler());
        }
        return new AeronTransport(settings, connection);
    }

    /**
     * The directory of the media driver.
     *
     * @return its path.
     */
    public String aeronDirectory() {
        return connection.directory();
    }

    /**
     * The errors that driver and client have reported; each went to the context's error handler.
     *
     * @return their count.
     */
    public long errorCount() {
        return connection.errorCount();
    }

    @Override
    public int nextStreamId() {
        return connection.request("a stream id", aeron -> streamId(aeron.nextCorrelationId()));
    }

    /** Correlation ids are drawn from the driver, so that no two clients have the same. */
    static int streamId(final long correlationId) {
        return FIRST_STREAM_ID + (int) Math.floorMod(correlationId, (long) Integer.MAX_VALUE - FIRST_STREAM_ID + 1);
    }

    @Override
    public int bufferLength(final long channelCount) {
        return room().dataTermLength(channelCount, settings);
    }

    ChannelRoom room() {
        return connection.request(
                "channels", aeron -> ChannelRoom.of(aeron, connection.isEmbedded(), promisedBytes.get()));
    }

    @Override
    public InputGate openGate(
            final int attempt, final String name, final int[] dataStreamIds, final int controlStreamId) {
        final List<FrameStream> opened = new ArrayList<>();
        try {
            final FrameStream control =
                    openStream(opened, "the control stream " + controlStreamId + " of " + name, controlStreamId);
            final FrameStream[] data = new FrameStream[dataStreamIds.length];
            for (int i = 0; i < data.length; i++) {
                data[i] = openStream(
                        opened, "stream " + dataStreamIds[i] + " of channel " + i + " of " + name, dataStreamIds[i]);
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

    private FrameStream openStream(final List<FrameStream> opened, final String name, final int streamId) {
        final FrameStream stream = connection.request(name, aeron -> new AeronFrameStream(aeron, name, streamId));
        opened.add(stream);
        return stream;
    }

    @Override
    public OutputChannel openOutput(
            final int attempt,
            final String name,
            final int dataStreamId,
            final int controlStreamId,
            final int channelIndex,
            final int bufferLength) {
        final ExclusivePublication control =
                openPublication(name + " control", controlStreamId, settings.controlTermLength());
        final ExclusivePublication data;
        try {
            data = openPublication(name, dataStreamId, bufferLength);
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(control);
            throw e;
        }
        final int maxBatchLength = data.maxPayloadLength() - DataFlyweight.BODY_OFFSET & -Long.BYTES;
        final long channelBytes = ChannelRoom.channelBytes(bufferLength, settings.controlTermLength());
        final OutputChannel output = new AeronOutputChannel(
                new OfferGuard(name, maxBatchLength, settings.maxRecordLength()),
                data,
                control,
                new FrameStamp(attempt, channelIndex),
                new FrameStamp(attempt, channelIndex),
                closed -> {
                    open.remove(closed);
                    promisedBytes.addAndGet(-channelBytes);
                });
        promisedBytes.addAndGet(channelBytes);
        open.add(output);
        return output;
    }

    private ExclusivePublication openPublication(final String name, final int streamId, final int termLength) {
        final String uri = new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .termLength(termLength)
                .mtu(Math.min(settings.mtuLength(), termLength / AeronContext.FRAMES_PER_TERM))
                .alias(alias(name))
                .build();
        return connection.request(
                "stream " + streamId + " of " + name,
                (final Aeron aeron) -> aeron.addExclusivePublication(uri, streamId));
    }

    private static String alias(final String name) {
        final String alias = name.replaceAll("[^A-Za-z0-9._-]", "_");
        return alias.substring(0, Math.min(alias.length(), MAX_ALIAS_LENGTH));
    }

    @Override
    public int pump() {
        return connection.pump();
    }

    @Override
    public void close() {
        try {
            CloseHelper.closeAll(List.copyOf(open));
        } finally {
            connection.close();
        }
    }
}
