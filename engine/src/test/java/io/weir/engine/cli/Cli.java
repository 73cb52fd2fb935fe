package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** Runs commands in this process. */
public final class Cli {
    private Cli() {}

    /**
     * What a command came to.
     *
     * @param status exit status.
     * @param out what it printed.
     * @param err what it complained of.
     */
    public record Result(int status, String out, String err) {
        /** Fails unless the command succeeded without a complaint. */
        public Result succeeded() {
            assertEquals(0, status, () -> out + err);
            assertEquals("", err);
            return this;
        }

        /**
         * Fails unless the command failed with one clear line.
         *
         * @param wanted exit status.
         */
        public String failed(final int wanted) {
            assertEquals(wanted, status, () -> out + err);
            assertTrue(err.endsWith("\n"), err);
            assertEquals(1, err.lines().count(), err);
            assertFalse(err.contains("Exception"), err);
            return err.strip();
        }
    }

    /**
     * Runs a command.
     *
     * @param args command line.
     */
    public static Result run(final Object... args) {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        final String[] words = List.of(args).stream()
                .map(arg -> arg instanceof Path path ? path.toString() : (String) arg)
                .toArray(String[]::new);
        final int status = commandLine.execute(words);
        return new Result(status, out.toString(), err.toString());
    }
}
