package io.weir.engine.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final StringWriter text = new StringWriter();

    @Test
    void shouldDrawTheBarOverOnATerminal() {
        final Progress progress = Progress.bar(new PrintWriter(text), 10);

        progress.show(0, 0, "a long remark");
        progress.show(TimeUnit.MILLISECONDS.toNanos(99), 3, "too soon");
        progress.show(TimeUnit.MILLISECONDS.toNanos(100), 5, "x");
        progress.finish("done");

        assertEquals(
                "\r[                              ] 0 of 10 records, a long remark"
                        + "\r[###############               ] 5 of 10 records, x            "
                        + "\r[##############################] 10 of 10 records, done\n",
                text.toString());
    }

    @Test
    void shouldClearTheBarForALine() {
        final Progress progress = Progress.bar(new PrintWriter(text), 1);
        progress.show(0, 0, "");
        final int drawn = text.toString().length() - 1;
        text.getBuffer().setLength(0);

        progress.say("hello");

        assertEquals("\r" + " ".repeat(drawn) + "\rhello\n", text.toString());
    }

    @Test
    void shouldPrintALineNowAndThenElsewhere() {
        final Progress progress = Progress.lines(new PrintWriter(text), 2000);

        progress.show(0, 0, "a");
        progress.show(TimeUnit.SECONDS.toNanos(1), 1, "b");
        progress.show(TimeUnit.SECONDS.toNanos(2), 1500, "c");
        progress.finish("d");

        assertEquals("0 of 2,000 records, a\n1,500 of 2,000 records, c\n2,000 of 2,000 records, d\n", text.toString());
    }
}
