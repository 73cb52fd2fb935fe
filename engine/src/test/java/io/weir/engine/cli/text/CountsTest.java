package io.weir.engine.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountsTest {
    @Test
    void shouldTellOneFromMany() {
        assertEquals("0 kills", Counts.print(0, "kill"));
        assertEquals("1 kill", Counts.print(1, "kill"));
        assertEquals("4,195 windows", Counts.print(4195, "window"));
    }
}
