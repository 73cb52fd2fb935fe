package io.weir.benchmarks.state;

import java.util.Arrays;

/** Measured values and what is told of them. */
final class Samples {
    private double[] values = new double[16];
    private int size;

    void add(final double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    double get(final int index) {
        return values[index];
    }

    double median() {
        return percentile(50);
    }

    double min() {
        return percentile(0);
    }

    double max() {
        return percentile(100);
    }

    /** The smallest value that so many of a hundred are not above. */
    double percentile(final double percent) {
        if (size == 0) {
            return Double.NaN;
        }
        final double[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(percent / 100 * size) - 1)];
    }

    /** Value by value divided by others of the same rounds. */
    Samples ratioTo(final Samples others) {
        final Samples ratios = new Samples();
        for (int i = 0; i < size; i++) {
            ratios.add(values[i] / others.values[i]);
        }
        return ratios;
    }

    /** The median and the spread. */
    String spread(final String format) {
        return String.format(format + " (" + format + " .. " + format + ")", median(), min(), max());
    }
}
