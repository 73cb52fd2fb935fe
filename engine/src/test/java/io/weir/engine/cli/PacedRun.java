package io.weir.engine.cli;

import io.weir.engine.cli.data.PacedLog;
import io.weir.engine.cli.job.JobKind;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code weir run ohlc} whose feed is paced: the same command in everything else, so that the one goes on where the other was
 * killed.
 */
@Command(name = "paced-run")
final class PacedRun implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--pace", required = true, description = "Records per second of each source.")
    private long pace;

    @Option(names = "--release", required = true, description = "File that releases the feed once it exists.")
    private Path release;

    @Mixin
    private RunOptions options;

    private PacedRun() {}

    /**
     * Runs the command and ends the process with its status.
     *
     * @param args the two options of its own, and those of {@code weir run ohlc}.
     */
    public static void main(final String[] args) {
        final CommandLine commandLine = new CommandLine(new PacedRun());
        commandLine.registerConverter(java.time.Duration.class, new DurationConverter());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(commandLine.execute(args));
    }

    @Override
    public Integer call() {
        return new JobCommand<>(
                        JobKind.OHLC, options, spec.commandLine().getOut(), log -> new PacedLog(log, pace, release))
                .call();
    }
}
