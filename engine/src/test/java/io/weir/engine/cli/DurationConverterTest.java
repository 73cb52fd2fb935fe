package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({
        "7ns,7",
        "7us,7000",
        "100ms,100000000",
        "60s,60000000000",
        "2m,120000000000",
        "1h,3600000000000",
        "0s,0",
        "0,0"
    })
    void shouldReadNumberAndUnit(final String text, final long ns) {
        assertEquals(Duration.ofNanos(ns), converter.convert(text));
    }

    @Test
    void shouldReadADay() {
        assertEquals(Duration.ofDays(1), converter.convert("1d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "1.5s", "5 s", "5S", "5w", "PT5S", "200000d", "999999999999999999d"})
    void shouldRefuseAnythingElse(final String text) {
        assertThrows(TypeConversionException.class, () -> converter.convert(text));
    }
}
