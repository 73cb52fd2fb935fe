package io.weir.benchmarks.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The load of a job that is measured through checkpoints. */
final class LoadOptions {
    private static final int MAX_INTERVAL_MS = 3_600_000;
    private static final int MAX_RATE = 10_000_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--interval",
            defaultValue = "10",
            paramLabel = "MS",
            description = "Milliseconds between checkpoints (default ${DEFAULT-VALUE}).")
    private int intervalMs;

    @Option(
            names = "--rate",
            defaultValue = "20000",
            paramLabel = "N",
            description = "Records per second, due whether the job keeps up or not (default ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Draws the moments of failures (default ${DEFAULT-VALUE}).")
    private long seed;

    int intervalMs() {
        Range.check(spec, "--interval", intervalMs, 1, MAX_INTERVAL_MS);
        return intervalMs;
    }

    int rate() {
        Range.check(spec, "--rate", rate, 1, MAX_RATE);
        return rate;
    }

    long seed() {
        return seed;
    }
}
