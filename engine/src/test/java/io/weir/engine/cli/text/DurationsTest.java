package io.weir.engine.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1500, 1.50 us",
        "12345678, 12.3 ms",
        "999999999, 1000 ms",
        "61000000000, 61.0 s"
    })
    void shouldPrintThreeDigitsOrSo(final long ns, final String text) {
        assertEquals(text, Durations.print(ns));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0ns",
        "7, 7ns",
        "1500, 1500ns",
        "2000, 2us",
        "5000000, 5ms",
        "1500000000, 1500ms",
        "60000000000, 60s"
    })
    void shouldPrintExactly(final long ns, final String text) {
        assertEquals(text, Durations.exact(ns));
    }
}
