package io.weir.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds each mistake on the list, made one at a time; without it the same seed is right. */
final class MistakesTest {
    private static final int SEEDS = 2_000;
    private static final QuietLog LOG = new QuietLog();

    @BeforeAll
    static void quieten() {
        LOG.begin();
    }

    @AfterAll
    static void restoreLog() {
        LOG.end();
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void shouldFind(final Mistake mistake) {
        for (final int seed : seeds(mistake)) {
            if (!Simulation.run(seed, mistake.seams(), null).isRight()) {
                final SimulationResult right = Simulation.run(seed);
                assertTrue(right.isRight(), right::describe);
                return;
            }
        }
        fail("no seed below " + SEEDS + " finds " + mistake);
    }

    private static List<Mistake> mistakes() {
        return Mistake.ALL;
    }

    /** First the one that is known, which the scheduler's next change may make another, then all that could tell. */
    private static List<Integer> seeds(final Mistake mistake) {
        final List<Integer> seeds = new ArrayList<>();
        seeds.add(mistake.knownSeed());
        for (int seed = 0; seed < SEEDS; seed++) {
            if (mistake.concerns(Simulation.scenario(seed))) {
                seeds.add(seed);
            }
        }
        return seeds;
    }
}
