package io.weir.engine.cli.text;

import java.util.Locale;

/** Durations for people. */
public final class Durations {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long S = 1_000_000_000;

    private Durations() {}

    /**
     * Prints a duration with three digits or so in a unit that fits.
     *
     * @param ns the duration, not negative.
     * @return for example {@code 1.50 ms}.
     */
    public static String print(final long ns) {
        if (ns < US) {
            return ns + " ns";
        }
        if (ns < MS) {
            return scaled(ns, US) + " us";
        }
        return ns < S ? scaled(ns, MS) + " ms" : scaled(ns, S) + " s";
    }

    /**
     * Prints a duration as the command line reads it: exactly, in the largest unit up to seconds that goes into it.
     *
     * @param ns the duration.
     * @return for example {@code 60s} or {@code 1500us}.
     */
    public static String exact(final long ns) {
        if (ns % US != 0 || ns == 0) {
            return ns + "ns";
        }
        if (ns % MS != 0) {
            return ns / US + "us";
        }
        return ns % S == 0 ? ns / S + "s" : ns / MS + "ms";
    }

    private static String scaled(final long ns, final long unit) {
        final double value = (double) ns / unit;
        final int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
