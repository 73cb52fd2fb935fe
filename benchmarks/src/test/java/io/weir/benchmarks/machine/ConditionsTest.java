package io.weir.benchmarks.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What others use of the machine. */
final class ConditionsTest {
    private static final String BEFORE = """
        cpu  1000 10 200 5000 30 1 2 3 0 0
        cpu0 1 2 3 4 5 6 7 8 0 0
        cpu1 1 2 3 4 5 6 7 8 0 0
        intr 99 0
        """;
    private static final String SELF = "12 (a) b) R 1 1 1 0 -1 4194304 98 0 0 0 %d 5 20 7 20 0 1 0 72070\n";

    @Test
    void shouldReadWhatTheKernelCounts() {
        assertEquals(new CpuTicks(1216, 6246, 42, 2), CpuTicks.of(BEFORE, SELF.formatted(10)));
    }

    @Test
    void shouldCountAsOthersWhatIsBusyAndNotOurs() {
        final CpuTicks before = CpuTicks.of(BEFORE, SELF.formatted(10));
        // 100 busy ticks of 200 on two cores, of which 60 are ours.
        final CpuTicks after = CpuTicks.of(BEFORE.replace("1000 10 200 5000", "1100 10 200 5100"), SELF.formatted(70));

        assertEquals(0.4, after.othersSince(before), 1e-9);
    }

    @Test
    void shouldNotCountLessThanNothing() {
        final CpuTicks before = CpuTicks.of(BEFORE, SELF.formatted(10));
        final CpuTicks after = CpuTicks.of(BEFORE.replace("5000", "5100"), SELF.formatted(20));

        assertEquals(0, after.othersSince(before));
    }

    @Test
    void shouldSayWhenOthersDisturb() {
        assertEquals("0.20 of 2 cores busy with other work", Conditions.describe(0.2, 2));
        assertTrue(Conditions.describe(0.21, 2).contains("TOO BUSY"));
        assertTrue(Conditions.describe(Double.NaN, 2).startsWith("unknown"));
    }
}
