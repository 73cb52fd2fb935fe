package io.weir.engine.cli.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines that were expected and lines that came.
 *
 * @param what is compared.
 * @param expected number of lines, header apart.
 * @param differences the first of them, for people; empty if all is equal.
 * @param differenceCount of all: a line that came instead of another is one difference.
 */
record Comparison(String what, int expected, List<String> differences, int differenceCount) {
    private static final int SHOWN = 5;

    static Comparison of(final String what, final List<String> expected, final List<String> actual) {
        final Map<String, Integer> balance = new LinkedHashMap<>();
        actual.forEach(line -> balance.merge(line, 1, Integer::sum));
        expected.forEach(line -> balance.merge(line, -1, Integer::sum));
        final List<String> differences = new ArrayList<>();
        int missing = 0;
        int tooMany = 0;
        for (final Map.Entry<String, Integer> line : balance.entrySet()) {
            if (line.getValue() != 0) {
                missing += Math.max(0, -line.getValue());
                tooMany += Math.max(0, line.getValue());
                if (differences.size() < SHOWN) {
                    differences.add((line.getValue() > 0 ? "too much: " : "missing: ") + line.getKey());
                }
            }
        }
        int count = Math.max(missing, tooMany);
        if (count == 0 && !expected.equals(actual)) {
            count = 1;
            differences.add("the same lines in another order");
        }
        return new Comparison(what, Math.max(0, expected.size() - 1), differences, count);
    }

    boolean isEqual() {
        return differenceCount == 0;
    }
}
