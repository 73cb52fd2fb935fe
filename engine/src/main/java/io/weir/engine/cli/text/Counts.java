package io.weir.engine.cli.text;

import java.util.Locale;

/** Numbers of things. */
public final class Counts {
    private Counts() {}

    /**
     * Prints a number and what is counted.
     *
     * @param count of the things.
     * @param noun for one of them, that takes an s for more.
     * @return for example {@code 1 kill} or {@code 4,195 windows}.
     */
    public static String print(final long count, final String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
