package io.weir.engine.coordinator;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SimulatedJobTest {
    private static final int RUNS = 1_000;

    @Test
    void shouldCutEveryChannelOnceAndEndWhateverTheOrderOfMessages() {
        long seed = System.nanoTime();
        for (int run = 0; run < RUNS; run++) {
            try {
                new SimulatedJob(new Random(seed + run)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + (seed + run), e);
            }
        }
    }
}
