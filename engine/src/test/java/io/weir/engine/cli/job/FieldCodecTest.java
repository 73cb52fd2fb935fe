package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

class FieldCodecTest {
    private static final BigDecimal WIDE = new BigDecimal("-123456789012345678901234567890.123456789");
    private static final int OFFSET = 16;

    @Test
    void shouldReadBackWhatItWrote() {
        shouldReadBack(
                new Tick("Börse", -1, Long.MAX_VALUE, "", Long.MIN_VALUE, "x", WIDE, BigDecimal.ZERO), Tick.codec());
        shouldReadBack(new Metric("s", 1, 2, "k", 3, "", new BigDecimal("1E+5")), Metric.codec());
        shouldReadBack(new LateRow("s", 1, 2, "k", 3, "id", -60), LateRow.codec());
        shouldReadBack(new OhlcWindow("s", "k", 0, 60, 2, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE), OhlcWindow.codec());
        shouldReadBack(new StatsWindow("s", "k", 0, 60, 2, WIDE, WIDE, WIDE, WIDE, WIDE), StatsWindow.codec());
    }

    @Test
    void shouldRefuseEveryTruncation() {
        final Codec<Metric> codec = Metric.codec();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = codec.encode(new Metric("source", 1, 2, "key", 3, "id", WIDE), buffer, OFFSET);

        for (int shorter = 0; shorter < length; shorter++) {
            final int truncated = shorter;
            assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, OFFSET, truncated));
        }
        assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, OFFSET, length + 1));
    }

    private static <T> void shouldReadBack(final T value, final Codec<T> codec) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

        final int length = codec.encode(value, buffer, OFFSET);

        assertEquals(value, codec.forTask().decode(buffer, OFFSET, length));
    }
}
