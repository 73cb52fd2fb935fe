package io.weir.storage.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CsvRowTest {
    private final CsvRow row = new CsvRow(List.of("key", "value"));

    @Test
    void shouldGiveViewsOfPlainFieldsAndUnescapeQuotedOnes() {
        final UnsafeBuffer bytes = new UnsafeBuffer("..ab,\"c\"\"d\"".getBytes(UTF_8));
        row.wrap(bytes, 2, bytes.capacity() - 2);
        assertEquals(2, row.offset(0));
        assertEquals(2, row.length(0));
        assertEquals(bytes, row.buffer(0));
        assertEquals("c\"d", row.asString(1));
        assertEquals("c\"d", row.buffer(1).getStringWithoutLengthUtf8(row.offset(1), row.length(1)));
        assertFalse(row.isEmpty(1));
        assertTrue(wrap(",x").isEmpty(0));
        assertTrue(wrap("\"\",x").isEmpty(0));
        assertEquals(1, row.column("value"));
        assertEquals(List.of("key", "value"), row.columns());
    }

    @Test
    void shouldReadNumbersExactly() {
        assertEquals(Long.MAX_VALUE, value("9223372036854775807").asLong(1));
        assertEquals(Long.MIN_VALUE, value("-9223372036854775808").asLong(1));
        assertEquals(0, value("-0").asLong(1));
        assertEquals(12, value("+12").asLong(1));
        assertEquals(12_500, value("12.5").asScaledLong(1, 3));
        assertEquals(-50, value("-.05").asScaledLong(1, 3));
        assertEquals(7, value("0.0070").asScaledLong(1, 3));
        assertEquals(Long.MIN_VALUE, value("-92233720368547758.08").asScaledLong(1, 2));
        assertEquals(new BigDecimal("0.10"), value("0.10").asDecimal(1));
    }

    @Test
    void shouldNameColumnTextAndReason() {
        assertFails(() -> value("12a").asLong(1), "'value'", "'12a'", "no decimal number");
        assertFails(() -> value("").asLong(1), "'value'", "no decimal number");
        assertFails(() -> value("-").asLong(1), "'value'", "no decimal number");
        assertFails(() -> value(".").asLong(1), "'value'", "no decimal number");
        assertFails(() -> value("1.2.3").asScaledLong(1, 4), "'1.2.3'", "no decimal number");
        assertFails(() -> value("9223372036854775808").asLong(1), "beyond 64 bits");
        assertFails(() -> value("-9223372036854775809").asLong(1), "beyond 64 bits");
        assertFails(() -> value("1.25").asScaledLong(1, 1), "more than 1 decimals");
        assertFails(() -> value("x").asDecimal(1), "'x'", "no decimal number");
        assertFails(() -> wrap("only"), "ends before column 'value'");
        assertFails(() -> wrap("a,b,c"), "more fields");
        assertFails(() -> wrap("a,\"b"), "'value'", "never closed");
        assertFails(() -> wrap("a,\"b\"c"), "'value'", "behind the closing quote");
        assertFails(() -> wrap("a,b\"c"), "'value'", "quote inside");
        assertFails(() -> row.column("nope"), "'nope'", "[key, value]");
        assertFails(() -> new CsvRow(List.of("a", "a")), "'a' twice");
    }

    @Test
    void shouldAllocateNothingPerRow() {
        final UnsafeBuffer bytes = new UnsafeBuffer("\"a\"\"b\",12.25".getBytes(UTF_8));
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        long sum = 0;
        long before = 0;
        for (int i = 0; i < 300_000; i++) {
            if (i == 200_000) {
                before = threads.getThreadAllocatedBytes(threadId);
            }
            row.wrap(bytes, 0, bytes.capacity());
            sum += row.asScaledLong(1, 2) + row.length(0);
        }
        final long allocated = threads.getThreadAllocatedBytes(threadId) - before;
        assertEquals(300_000L * (1225 + 3), sum);
        assertTrue(allocated < 10_000, allocated + " bytes allocated");
    }

    private CsvRow value(final String text) {
        return wrap("k," + text);
    }

    private CsvRow wrap(final String text) {
        final UnsafeBuffer bytes = new UnsafeBuffer(text.getBytes(UTF_8));
        return row.wrap(bytes, 0, bytes.capacity());
    }

    private static void assertFails(final Runnable action, final String... parts) {
        final LogException ex = assertThrows(LogException.class, action::run);
        for (final String part : parts) {
            assertTrue(ex.getMessage().contains(part), () -> "'" + ex.getMessage() + "' must name '" + part + "'");
        }
    }
}
