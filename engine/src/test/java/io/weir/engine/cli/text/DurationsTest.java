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
}
