package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class WindowTest {
    @Test
    void shouldHaveNoVwapWithoutVolume() {
        final Ohlc ohlc =
                Ohlc.empty().plus(new Tick("s", 0, 0, "k", 5, "", new BigDecimal("800.10"), new BigDecimal("0.000")));

        final OhlcWindow window = ohlc.window(0, 60);

        assertEquals("", window.vwap());
        assertEquals("s,k,0,60,1,800.1,800.1,800.1,800.1,0,0,", String.join(",", window.fields()));
    }

    @Test
    void shouldRoundMeansHalfToEven() {
        final StatsWindow window = new StatsWindow(
                "s",
                "k",
                0,
                60,
                2,
                BigDecimal.ONE,
                BigDecimal.ONE,
                new BigDecimal("0.000000000005"),
                BigDecimal.ONE,
                BigDecimal.ONE);

        assertEquals("0.000000000002", window.mean());
    }

    @Test
    void shouldPutALateRowIntoTheWindowOfItsEventTimeAlsoBeforeTheEpoch() {
        final LateRow late = LateRow.of(new Metric("s", 4, 1, "k", -1, "i", BigDecimal.ONE), 60);

        assertEquals(new LateRow("s", 4, 1, "k", -1, "i", -60), late);
    }
}
