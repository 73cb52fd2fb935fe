package io.weir.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.simulation.SimulationResult.Event;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole jobs under seeds; {@code ./weir simulate} runs more of them. */
final class SimulationTest {
    private static final int SEEDS = 300;

    /** What runs of that many seeds must have met, each kind more often than now and then. */
    private static final int OFTEN = SEEDS / 10;

    private static final QuietLog LOG = new QuietLog();

    @BeforeAll
    static void quieten() {
        LOG.begin();
    }

    @AfterAll
    static void restoreLog() {
        LOG.end();
    }

    /**
     * FC-164, FC-165; two edges of different kinds into one vertex, also at other parallelisms: FLINK-18139, FLINK-22686,
     * FLINK-22815.
     */
    @Test
    void shouldWriteWhatTheModelExpectsWhateverGoesWrong() {
        final Map<Event, Long> counts = new EnumMap<>(Event.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            final SimulationResult result = Simulation.run(seed);
            assertTrue(result.isRight(), result::describe);
            result.counts().forEach((event, count) -> counts.merge(event, count, Long::sum));
        }
        for (final Event event : Event.values()) {
            assertTrue(counts.getOrDefault(event, 0L) >= OFTEN, event + " in " + counts);
        }
    }

    @Test
    void shouldReplayASeedStepByStep() {
        for (int seed = 0; seed < 5; seed++) {
            final List<String> first = new ArrayList<>();
            final List<String> second = new ArrayList<>();

            final SimulationResult result = Simulation.run(seed, first::add);
            final SimulationResult again = Simulation.run(seed, second::add);

            assertEquals(first, second);
            assertEquals(result.digest(), again.digest());
            assertEquals(result.counts(), again.counts());
            assertNotEquals(result.digest(), Simulation.run(seed + 1).digest());
        }
    }

    @Test
    void shouldSayAllThatIsNeededToFindTheCause() {
        final SimulationResult result =
                new SimulationResult(7, "pipeline", List.of("step 3: the machine dies"), "a loss", null, 1, Map.of());

        assertEquals(
                "seed 7: a loss\n  job: pipeline\n  step 3: the machine dies\n  again: ./weir simulate --seed 7 --trace",
                result.describe());
    }
}
