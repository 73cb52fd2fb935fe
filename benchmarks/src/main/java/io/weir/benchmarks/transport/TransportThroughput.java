package io.weir.benchmarks.transport;

import io.aeron.Aeron;
import io.weir.transport.aeron.AeronContext;
import io.weir.transport.aeron.AeronTransport;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Records per second from one thread to another, by batch size: our channel, raw Aeron with a message per record, and raw
 * Aeron with messages as long as our batches. All on one embedded driver, in interleaved rounds; what counts is the ratio
 * to raw Aeron within a round.
 */
public final class TransportThroughput {
    private static final int[] BATCH_SIZES = {1, 4, 16, 64, 180};

    private TransportThroughput() {}

    /**
     * Runs the benchmark and prints a table.
     *
     * @param out to print to.
     * @param seconds per measurement, positive.
     * @param rounds that count, at least 1; one more warms up.
     * @throws Exception if a thread fails.
     */
    public static void run(final PrintStream out, final double seconds, final int rounds) throws Exception {
        out.printf("Agrona bounds checks %s%n", DirectBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off");
        try (AeronTransport transport = AeronTransport.launch(new AeronContext());
                Aeron aeron = Aeron.connect(new Aeron.Context()
                        .aeronDirectoryName(transport.aeronDirectory())
                        .useConductorAgentInvoker(true))) {
            out.printf(
                    "record value %d bytes, %.1f s per measurement, %d rounds%n", Lane.VALUE_LENGTH, seconds, rounds);
            out.printf(
                    "%-6s %-22s %12s %8s %16s %24s%n",
                    "batch", "lane", "M records/s", "GB/s", "min .. max", "ratio to raw batch (spread)");
            for (final int batchSize : BATCH_SIZES) {
                measure(
                        out,
                        List.of(
                                new WeirLane(transport, batchSize),
                                new RawAeronLane(transport, aeron, RawAeronLane.Write.CLAIM, batchSize, batchSize),
                                new RawAeronLane(transport, aeron, RawAeronLane.Write.OFFER, 1, batchSize),
                                new RawAeronLane(transport, aeron, RawAeronLane.Write.CLAIM, 1, batchSize)),
                        seconds,
                        rounds);
            }
        }
    }

    private static void measure(final PrintStream out, final List<Lane> lanes, final double seconds, final int rounds)
            throws Exception {
        final double[][] rates = new double[lanes.size()][rounds];
        try {
            for (int round = -1; round < rounds; round++) {
                for (int i = 0; i < lanes.size(); i++) {
                    final double rate = Race.run(lanes.get(i), seconds);
                    if (round >= 0) {
                        rates[i][round] = rate;
                    }
                }
            }
        } finally {
            for (final Lane lane : lanes) {
                lane.close();
            }
        }
        for (int i = 0; i < lanes.size(); i++) {
            print(out, lanes.get(i), rates[i], rates[1]);
        }
    }

    private static void print(final PrintStream out, final Lane lane, final double[] rates, final double[] baseline) {
        final double[] sorted = rates.clone();
        Arrays.sort(sorted);
        final double[] ratios = new double[rates.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = rates[i] / baseline[i];
        }
        Arrays.sort(ratios);
        final double median = sorted[sorted.length / 2];
        out.printf(
                "%-6d %-22s %12.2f %8.2f %7.2f .. %6.2f %10.2f (%.2f .. %.2f)%n",
                lane.batchSize(),
                lane.name(),
                median / 1e6,
                median * Lane.VALUE_LENGTH / 1e9,
                sorted[0] / 1e6,
                sorted[sorted.length - 1] / 1e6,
                ratios[ratios.length / 2],
                ratios[0],
                ratios[ratios.length - 1]);
    }
}
