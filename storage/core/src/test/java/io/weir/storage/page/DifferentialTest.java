package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.state.StateBackend;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pages against the heap backend, a million random operations and more in a build. A failure names its seed;
 * {@code -Dweir.test.seed=N} runs that one alone, {@code -Dweir.test.seeds=N} another number of them.
 */
final class DifferentialTest {
    private static final int SEEDS = Integer.getInteger("weir.test.seeds", 160);
    private static final int OPERATIONS = 7_000;

    private long refused;

    @Test
    void shouldAnswerAsTheHeapBackendDoes() {
        final Long only = Long.getLong("weir.test.seed");
        long operations = 0;
        refused = 0;
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++) {
            operations += run(seed);
        }
        assertTrue(only != null || operations >= (long) SEEDS * OPERATIONS, operations + " operations");
        assertTrue(refused <= SEEDS, refused + " cuts refused");
    }

    private long run(final long seed) {
        final List<StateBackend> backends = List.of(
                new PagesStateBackend(),
                new PagesStateBackend(new PagesSettings(null, 0.3, 0, 2)),
                new PagesStateBackend().mergeFactor(20));
        final DifferentialRun run = new DifferentialRun(backends.get((int) (seed % backends.size())), seed);
        try (run) {
            run.run(OPERATIONS);
        } catch (final AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ", operation " + run.operations() + " (-Dweir.test.seed=" + seed + "): " + e, e);
        }
        refused += run.refused();
        return run.operations();
    }
}
