package io.weir.engine.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final StringWriter text = new StringWriter();

    @Test
    void shouldDrawTheBarOverOnATerminal() {
        final Progress progress = Progress.bar(new PrintWriter(text), 10, "records");

        progress.show(0, 0, "a long remark");
        progress.show(TimeUnit.MILLISECONDS.toNanos(99), 3, "too soon");
        progress.show(TimeUnit.MILLISECONDS.toNanos(100), 5, "x");
        progress.finish("done");

        assertEquals(
                "\r[                        ] 0 of 10 records, a long remark"
                        + "\r[############            ] 5 of 10 records, x            "
                        + "\r[########################] 10 of 10 records, done\n",
                text.toString());
    }

    @Test
    void shouldStayOnOneLineOfEightyColumns() {
        for (final long total : new long[] {10, 45_654, 1_000_000_000_000L}) {
            for (final String more : new String[] {"4,195 windows, 3 kills", "x".repeat(60), "x".repeat(100)}) {
                text.getBuffer().setLength(0);

                Progress.bar(new PrintWriter(text), total, "records").show(0, total, more);

                final String line = text.toString().substring(1);
                assertTrue(line.length() < 80, line);
                assertTrue(line.contains(" of "), line);
            }
        }
    }

    @Test
    void shouldClearTheBarForALine() {
        final Progress progress = Progress.bar(new PrintWriter(text), 1, "records");
        progress.show(0, 0, "");
        final int drawn = text.toString().length() - 1;
        text.getBuffer().setLength(0);

        progress.say("hello");

        assertEquals("\r" + " ".repeat(drawn) + "\rhello\n", text.toString());
    }

    @Test
    void shouldPrintALineNowAndThenElsewhere() {
        final Progress progress = Progress.lines(new PrintWriter(text), 2000, "records");

        progress.show(0, 0, "a");
        progress.show(TimeUnit.SECONDS.toNanos(1), 1, "b");
        progress.show(TimeUnit.SECONDS.toNanos(2), 1500, "c");
        progress.finish("d");

        assertEquals("0 of 2,000 records, a\n1,500 of 2,000 records, c\n2,000 of 2,000 records, d\n", text.toString());
    }
}
