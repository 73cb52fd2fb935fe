package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random jobs in random order, each with its own seed: every record that was emitted before its sender's cut is in exactly one
 * of the receiver's state, its input channel state, and the sender's output channel state, none behind it is in any, and
 * nothing is left at the end (FC-47, FC-48, FC-49, FLINK-17315), nor is anything captured on an edge that keeps its order (FC-66, FC-67,
 * FC-140). {@code -Dweir.barrier.seed=n} replays one,
 * {@code -Dweir.barrier.runs=n} plays more of them.
 */
class BarrierNetworkPropertyTest {
    private static final int RUNS = Integer.getInteger("weir.barrier.runs", 1_500);

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of("aligned", BarrierSettings.aligned()),
                Arguments.of("unaligned", sliced(BarrierSettings.unaligned(0))),
                Arguments.of("unaligned past 5", sliced(BarrierSettings.unaligned(5))),
                Arguments.of("unaligned past 20", sliced(BarrierSettings.unaligned(20))),
                Arguments.of("at least once", BarrierSettings.atLeastOnce()));
    }

    static Stream<Arguments> disturbedSettings() {
        return Stream.concat(
                settings(),
                Stream.of(
                        Arguments.of("unaligned, little channel state", limited(BarrierSettings.unaligned(0), 64)),
                        Arguments.of(
                                "unaligned past 5, little channel state", limited(BarrierSettings.unaligned(5), 32))));
    }

    private static BarrierSettings sliced(BarrierSettings settings) {
        return limited(settings, Long.MAX_VALUE);
    }

    private static BarrierSettings limited(BarrierSettings settings, long maxChannelStateBytes) {
        return new BarrierSettings(
                settings.mode(), settings.unaligned(), settings.alignmentTimeoutNs(), maxChannelStateBytes, 40);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settings")
    void shouldPutEveryRecordInOnePlace(String name, BarrierSettings settings) {
        play(name, settings, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("disturbedSettings")
    void shouldPutEveryRecordInOnePlaceThoughCheckpointsOverlapFailAndAreAborted(
            String name, BarrierSettings settings) {
        play(name, settings, true);
    }

    private static void play(String name, BarrierSettings settings, boolean disturbed) {
        Long replayed = Long.getLong("weir.barrier.seed");
        long seed = replayed != null ? replayed : System.nanoTime();
        int runs = replayed != null ? 1 : RUNS;
        int completed = 0;
        int withChannelState = 0;
        int withOutputState = 0;
        for (int run = 0; run < runs; run++) {
            BarrierNetwork network = new BarrierNetwork(new Random(seed + run), settings, disturbed);
            try {
                network.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(name + ", seed " + (seed + run) + ": " + e.getMessage(), e);
            }
            completed += network.completed();
            withChannelState += network.withChannelState();
            withOutputState += network.withOutputState();
        }
        if (replayed == null) {
            assertTrue(completed > runs / 4, "too few checkpoints were compared: " + completed);
            boolean overtaking = settings.unaligned();
            assertTrue(!overtaking || withChannelState > runs / 10, "too little channel state: " + withChannelState);
            assertTrue(!overtaking || withOutputState > runs / 20, "too little output state: " + withOutputState);
        }
    }
}
