package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void shouldTellTheLoadWhereTheSystemDoes() {
        final Machine machine = new Machine(2, "Linux 6.1 amd64", "17 (Debian)");

        assertEquals("2 cores, load average 0.50 before and 3.00 after, Linux 6.1 amd64", machine.describe(0.5, 3));
        assertEquals(
                "2 cores, load average unknown before and unknown after, Linux 6.1 amd64", machine.describe(-1, -1));
    }

    @Test
    void shouldKnowWhereItRuns() {
        assertEquals(Runtime.getRuntime().availableProcessors(), Machine.here().cores());
    }
}
