package io.weir.benchmarks.cli;

import io.weir.benchmarks.commit.CommitBenchmark;
import io.weir.benchmarks.commit.CommitOptions;
import io.weir.benchmarks.machine.Conditions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench commit}. */
@Command(
        name = "commit",
        description = {
            "How soon output of two-phase commit can be read, through checkpoints and restarts, and what grows meanwhile.",
            "Each record is checked: none may be lost or repeated."
        },
        mixinStandardHelpOptions = true)
final class CommitCommand implements Callable<Integer> {
    private static final int MAX_SECONDS = 86_400;
    private static final int MAX_RESTARTS = 1_000_000;
    private static final int SECONDS_PER_RESTART = 5;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "S",
            description = "Seconds that records come (default ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            description = "Failures of a user's function, at random records (default one in 5 seconds).")
    private Integer restarts;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws Exception {
        Range.check(spec, "--seconds", seconds, 1, MAX_SECONDS);
        final int failures = restarts == null ? seconds / SECONDS_PER_RESTART : restarts;
        Range.check(spec, "--restarts", failures, 0, MAX_RESTARTS);
        final CommitOptions options =
                new CommitOptions(seconds, load.intervalMs(), load.rate(), failures, load.seed(), folder.folder());
        final Conditions conditions = Conditions.print(System.out);
        CommitBenchmark.run(System.out, options);
        conditions.printOthers();
        return 0;
    }
}
