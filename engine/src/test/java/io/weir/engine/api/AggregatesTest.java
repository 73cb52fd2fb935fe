package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class AggregatesTest {
    @Test
    void shouldFoldTheNumbersOfAWindow() throws Exception {
        assertEquals(3, fold(Aggregates.count(), -5L, 7L, 7L));
        assertEquals(9, fold(Aggregates.sum(Long::longValue), -5L, 7L, 7L));
        assertEquals(-5, fold(Aggregates.min(Long::longValue), 7L, -5L, 7L));
        assertEquals(7, fold(Aggregates.max(Long::longValue), -5L, 7L, 0L));
    }

    @Test
    void shouldFindTheExtremesOfTheWholeRange() throws Exception {
        assertEquals(Long.MAX_VALUE, fold(Aggregates.min(Long::longValue), Long.MAX_VALUE));
        assertEquals(Long.MIN_VALUE, fold(Aggregates.max(Long::longValue), Long.MIN_VALUE));
    }

    @Test
    void shouldFailRatherThanGiveAWrongSum() {
        assertThrows(ArithmeticException.class, () -> fold(Aggregates.sum(Long::longValue), Long.MAX_VALUE, 1L));
    }

    @Test
    void shouldAskForANumber() {
        assertThrows(NullPointerException.class, () -> Aggregates.sum(null));
    }

    private static long fold(final AggregateFunction<Long, LongCell, Long> aggregate, final Long... values)
            throws Exception {
        LongCell accumulator = aggregate.create();
        for (final Long value : values) {
            accumulator = aggregate.add(accumulator, value);
        }
        return aggregate.result(accumulator, new TimeWindow(0, 10));
    }
}
