package io.weir.engine.cli.text;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows how far a feed is: a bar that is drawn over on a terminal, a line now and then elsewhere. */
public final class Progress {
    private static final int BAR_LENGTH = 30;
    private static final long TERMINAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LINES_NS = TimeUnit.SECONDS.toNanos(2);

    private final PrintWriter out;
    private final boolean isTerminal;
    private final long total;
    private long shownNs = Long.MIN_VALUE;
    private int shownLength;

    private Progress(final PrintWriter out, final boolean isTerminal, final long total) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.total = total;
    }

    /**
     * A bar on a terminal.
     *
     * @param out of the terminal.
     * @param total of what is counted.
     * @return the bar.
     */
    public static Progress bar(final PrintWriter out, final long total) {
        return new Progress(out, true, total);
    }

    /**
     * Plain lines.
     *
     * @param out takes them.
     * @param total of what is counted.
     * @return the lines.
     */
    public static Progress lines(final PrintWriter out, final long total) {
        return new Progress(out, false, total);
    }

    /**
     * Shows where things stand, unless that was just done.
     *
     * @param nowNs of a clock that only rises.
     * @param done of the total.
     * @param more to tell.
     */
    public void show(final long nowNs, final long done, final String more) {
        if (shownNs == Long.MIN_VALUE || nowNs - shownNs >= (isTerminal ? TERMINAL_NS : LINES_NS)) {
            shownNs = nowNs;
            draw(done, more);
        }
    }

    /**
     * Says something beside the progress.
     *
     * @param line to say.
     */
    public void say(final String line) {
        if (isTerminal) {
            out.print("\r" + " ".repeat(shownLength) + "\r");
            shownLength = 0;
        }
        out.println(line);
        out.flush();
    }

    /**
     * Shows the end.
     *
     * @param more to tell.
     */
    public void finish(final String more) {
        draw(total, more);
        if (isTerminal) {
            out.println();
        }
        out.flush();
    }

    private void draw(final long done, final String more) {
        final String counts = String.format(Locale.ROOT, "%,d of %,d records", done, total);
        if (!isTerminal) {
            out.println(counts + ", " + more);
            out.flush();
            return;
        }
        final int filled = (int) (done * BAR_LENGTH / Math.max(1, total));
        final String line = "[" + "#".repeat(filled) + " ".repeat(BAR_LENGTH - filled) + "] " + counts + ", " + more;
        out.print("\r" + line + " ".repeat(Math.max(0, shownLength - line.length())));
        out.flush();
        shownLength = line.length();
    }
}
