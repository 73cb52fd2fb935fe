package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void shouldFindEqualLinesEqual() {
        final Comparison comparison = Comparison.of("rows", List.of("h", "a", "b"), List.of("h", "a", "b"));

        assertTrue(comparison.isEqual());
        assertEquals(2, comparison.expected());
    }

    @Test
    void shouldNameMissingAndRepeatedLines() {
        final Comparison comparison = Comparison.of("rows", List.of("h", "a", "b"), List.of("h", "a", "a", "c"));

        assertFalse(comparison.isEqual());
        assertEquals(2, comparison.differenceCount());
        assertEquals(List.of("too much: a", "too much: c", "missing: b"), comparison.differences());
    }

    @Test
    void shouldCountALineThatCameInsteadOfAnotherOnce() {
        assertEquals(
                1,
                Comparison.of("rows", List.of("h", "a", "b"), List.of("h", "a", "c"))
                        .differenceCount());
    }

    @Test
    void shouldFindAnotherOrderDifferent() {
        assertFalse(Comparison.of("rows", List.of("h", "a", "b"), List.of("h", "b", "a"))
                .isEqual());
    }
}
