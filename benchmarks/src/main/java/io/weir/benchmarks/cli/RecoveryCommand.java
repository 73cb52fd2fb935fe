package io.weir.benchmarks.cli;

import io.weir.benchmarks.commit.RecoveryBenchmark;
import io.weir.benchmarks.commit.RecoveryOptions;
import io.weir.benchmarks.machine.Conditions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench recovery}. */
@Command(
        name = "recovery",
        description = {
            "How soon there is new output after a SIGKILL of the whole process, and after an exception of a user's function.",
            "The first is told with the start of the JVM, the second with a restart strategy that doesn't wait."
        },
        mixinStandardHelpOptions = true)
final class RecoveryCommand implements Callable<Integer> {
    private static final int MAX_KILLS = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--kills",
            defaultValue = "10",
            paramLabel = "N",
            description = "Kills, and as many exceptions (default ${DEFAULT-VALUE}).")
    private int kills;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws Exception {
        Range.check(spec, "--kills", kills, 1, MAX_KILLS);
        final RecoveryOptions options =
                new RecoveryOptions(kills, load.intervalMs(), load.rate(), load.seed(), folder.folder());
        final Conditions conditions = Conditions.print(System.out);
        RecoveryBenchmark.run(System.out, options);
        conditions.printOthers();
        return 0;
    }
}
