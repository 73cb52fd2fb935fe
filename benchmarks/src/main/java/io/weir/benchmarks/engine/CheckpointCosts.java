package io.weir.benchmarks.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/** What checkpoints of one kind cost, each beside a plain write and a plain copy made right after it. */
final class CheckpointCosts {
    private static final int DIGITS = 3;
    private static final int WRITE_LENGTH = 1 << 20;

    private final Histogram durationNs = new Histogram(DIGITS);
    private final Histogram bytesInFlight = new Histogram(DIGITS);
    private final Histogram heardNs = new Histogram(DIGITS);
    private final Histogram capturedNs = new Histogram(DIGITS);
    private final Histogram plainWriteNs = new Histogram(DIGITS);
    private final Histogram copyNs = new Histogram(DIGITS);

    /**
     * One checkpoint.
     *
     * @param durationNs from trigger until stored.
     * @param bytes that were written for it.
     * @param bytesInFlight of them, at the slow task.
     * @param heardNs from the trigger until the slow task heard of it.
     * @param capturedNs from the beginning of its cut until what was in flight was captured.
     */
    record Cost(long durationNs, long bytes, long bytesInFlight, long heardNs, long capturedNs) {}

    void add(final Cost cost, final Path folder) throws IOException {
        durationNs.recordValue(cost.durationNs);
        bytesInFlight.recordValue(cost.bytesInFlight);
        heardNs.recordValue(cost.heardNs);
        capturedNs.recordValue(cost.capturedNs);
        plainWriteNs.recordValue(writeNs(folder.resolve("plain"), cost.bytes));
        copyNs.recordValue(copyNs((int) cost.bytesInFlight));
    }

    private static long writeNs(final Path file, final long bytes) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_LENGTH);
        final long beginNs = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; ) {
                buffer.clear().limit((int) Math.min(WRITE_LENGTH, left));
                left -= channel.write(buffer);
            }
            channel.force(true);
        }
        final long ns = System.nanoTime() - beginNs;
        Files.delete(file);
        return ns;
    }

    private static long copyNs(final int bytes) {
        final ByteBuffer from = ByteBuffer.allocateDirect(bytes);
        final byte[] to = new byte[bytes];
        final long beginNs = System.nanoTime();
        from.get(to);
        return System.nanoTime() - beginNs;
    }

    @Override
    public String toString() {
        return String.format(
                "%6d %19s %10d %19s %19s %15s %13s",
                durationNs.getTotalCount(),
                ms(durationNs),
                bytesInFlight.getValueAtPercentile(50),
                ms(heardNs),
                ms(capturedNs),
                ms(plainWriteNs),
                us(copyNs));
    }

    private static String ms(final Histogram ns) {
        return String.format("%.2f / %.2f", ns.getValueAtPercentile(50) / 1e6, ns.getMaxValue() / 1e6);
    }

    private static String us(final Histogram ns) {
        return String.format("%.0f / %.0f", ns.getValueAtPercentile(50) / 1e3, ns.getMaxValue() / 1e3);
    }
}
