package io.weir.benchmarks.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks options. */
final class Range {
    private Range() {}

    static void check(final CommandSpec spec, final String name, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new ParameterException(
                    spec.commandLine(), name + "=" + value + " must be in [" + min + ", " + max + "]");
        }
    }
}
