package io.weir.engine.cli.text;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows how far something is: a bar that is drawn over on a terminal, a line now and then elsewhere. */
public final class Progress {
    private static final int BAR_LENGTH = 24;

    /** One column stays free, so that the cursor does not go to the next line either. */
    private static final int MAX_LENGTH = 79;

    /** The brackets of the bar and the space behind it. */
    private static final int BAR_FRAME_LENGTH = 3;

    private static final long TERMINAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LINES_NS = TimeUnit.SECONDS.toNanos(2);

    private final PrintWriter out;
    private final boolean isTerminal;
    private final long total;
    private final String what;
    private long shownNs = Long.MIN_VALUE;
    private int shownLength;

    private Progress(final PrintWriter out, final boolean isTerminal, final long total, final String what) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.total = total;
        this.what = what;
    }

    /**
     * A bar on a terminal.
     *
     * @param out of the terminal.
     * @param total of what is counted.
     * @param what is counted, for example {@code records}.
     * @return the bar.
     */
    public static Progress bar(final PrintWriter out, final long total, final String what) {
        return new Progress(out, true, total, what);
    }

    /**
     * Plain lines.
     *
     * @param out takes them.
     * @param total of what is counted.
     * @param what is counted, for example {@code records}.
     * @return the lines.
     */
    public static Progress lines(final PrintWriter out, final long total, final String what) {
        return new Progress(out, false, total, what);
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
        clear();
        out.println(line);
        out.flush();
    }

    /** Takes the bar away, so that something else can be printed. */
    public void clear() {
        if (isTerminal && shownLength > 0) {
            out.print("\r" + " ".repeat(shownLength) + "\r");
            out.flush();
            shownLength = 0;
        }
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
        final String text = String.format(Locale.ROOT, "%,d of %,d %s, %s", done, total, what, more);
        if (!isTerminal) {
            out.println(text);
            out.flush();
            return;
        }
        final String bar = bar(done, Math.min(BAR_LENGTH, MAX_LENGTH - BAR_FRAME_LENGTH - text.length()));
        final String line = (bar + text).substring(0, Math.min(MAX_LENGTH, bar.length() + text.length()));
        out.print("\r" + line + " ".repeat(Math.max(0, shownLength - line.length())));
        out.flush();
        shownLength = line.length();
    }

    private String bar(final long done, final int length) {
        if (length <= 0) {
            return "";
        }
        final int filled = (int) (done * length / Math.max(1, total));
        return "[" + "#".repeat(filled) + " ".repeat(length - filled) + "] ";
    }
}
