package io.weir.transport.aeron;

import io.aeron.Aeron;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.weir.transport.NoRoomException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.agrona.concurrent.status.CountersReader;

/**
 * What there is room for at one moment: buffers in the driver's directory, counters in its counter file, mappings in this
 * process. The driver makes sparse files, so a buffer that can't have its pages later would end the process with a SIGBUS in
 * the middle of a write; hence a channel is promised all of its buffers before it is opened.
 *
 * @param directory of the driver.
 * @param freeBytes in the file system of the directory.
 * @param promisedBytes of the buffers of channels that are open; some of them are taken from the free bytes already.
 * @param freeCounters of the driver.
 * @param freeMappings of this process.
 * @param mappingsPerChannel of this process: one of each buffer for the client, and one for a driver that is embedded.
 */
record ChannelRoom(
        String directory,
        long freeBytes,
        long promisedBytes,
        long freeCounters,
        long freeMappings,
        int mappingsPerChannel) {
    /** For each of data and control: the publisher's position and limit, and the subscriber's position. */
    static final int COUNTERS_PER_CHANNEL = 6;

    private static final int BUFFERS_PER_CHANNEL = 2;
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final Path MAX_MAPPINGS = Path.of("/proc/sys/vm/max_map_count");

    /** Looks around. */
    static ChannelRoom of(final Aeron aeron, final boolean isDriverEmbedded, final long promisedBytes) {
        final String directory = aeron.context().aeronDirectoryName();
        try {
            return new ChannelRoom(
                    directory,
                    Files.getFileStore(Path.of(directory)).getUsableSpace(),
                    promisedBytes,
                    countFreeCounters(aeron.countersReader()),
                    countFreeMappings(),
                    isDriverEmbedded ? 2 * BUFFERS_PER_CHANNEL : BUFFERS_PER_CHANNEL);
        } catch (final IOException e) {
            throw new UncheckedIOException("can't tell how much room there is in " + directory, e);
        }
    }

    /** The bytes that the two buffers of a channel can grow to. */
    static long channelBytes(final int dataTermLength, final int controlTermLength) {
        return bufferBytes(dataTermLength) + bufferBytes(controlTermLength);
    }

    /**
     * Halves the wished length until all channels fit into the budget and into half of the room, down to Aeron's least.
     *
     * @throws NoRoomException if they don't fit even so.
     */
    int dataTermLength(final long channelCount, final AeronSettings settings) {
        final int controlTermLength = settings.controlTermLength();
        final long aim = Math.min(settings.channelBudget() - promisedBytes, roomBytes() / 2);
        int length = settings.dataTermLength();
        while (length > LogBufferDescriptor.TERM_MIN_LENGTH
                && channelCount * channelBytes(length, controlTermLength) > aim) {
            length /= 2;
        }
        check(channelCount, channelCount * channelBytes(length, controlTermLength));
        return length;
    }

    private void check(final long channelCount, final long bytes) {
        if (bytes > roomBytes()) {
            throw refusal(
                    channelCount,
                    bytes + " bytes in " + directory,
                    roomBytes(),
                    freeBytes + " free, " + promisedBytes
                            + " of them promised to open channels; give that file system more room, or use a lower parallelism");
        }
        final long counters = channelCount * COUNTERS_PER_CHANNEL;
        if (counters > freeCounters) {
            throw refusal(
                    channelCount,
                    counters + " counters of the media driver in " + directory,
                    freeCounters,
                    "see aeron.counters.buffer.length of the driver");
        }
        final long mappings = channelCount * mappingsPerChannel;
        if (mappings > freeMappings) {
            throw refusal(
                    channelCount,
                    mappings + " memory mappings of this process",
                    freeMappings,
                    "see the system's vm.max_map_count");
        }
    }

    private long roomBytes() {
        return Math.max(0, freeBytes - promisedBytes);
    }

    private static NoRoomException refusal(
            final long channelCount, final String need, final long available, final String hint) {
        return new NoRoomException("no room for " + channelCount + " more channels: they need " + need
                + ", available are " + available + " (" + hint + ')');
    }

    private static long bufferBytes(final int termLength) {
        return LogBufferDescriptor.computeLogLength(termLength, LogBufferDescriptor.PAGE_MIN_SIZE);
    }

    private static long countFreeCounters(final CountersReader counters) {
        long free = counters.maxCounterId() + 1L;
        for (int id = 0; id <= counters.maxCounterId(); id++) {
            final int state = counters.getCounterState(id);
            if (state == CountersReader.RECORD_UNUSED) {
                break;
            }
            if (state == CountersReader.RECORD_ALLOCATED) {
                free--;
            }
        }
        return free;
    }

    /** All there could be where the system does not tell. */
    private static long countFreeMappings() throws IOException {
        if (!Files.isReadable(MAX_MAPPINGS) || !Files.isReadable(MAPPINGS)) {
            return Long.MAX_VALUE;
        }
        // Through a buffer: the kernel gives a setting in the first read only, however short that is.
        try (BufferedReader limit = Files.newBufferedReader(MAX_MAPPINGS);
                Stream<String> mappings = Files.lines(MAPPINGS)) {
            return Long.parseLong(limit.readLine().trim()) - mappings.count();
        }
    }
}
