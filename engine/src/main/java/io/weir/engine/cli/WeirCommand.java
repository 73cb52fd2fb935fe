package io.weir.engine.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code weir}. */
@Command(
        name = "weir",
        description = "Stateful stream processing with exactly-once checkpoints.",
        versionProvider = LaunchProperties.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            RunCommand.class,
            StatusCommand.class,
            SavepointCommand.class,
            StopCommand.class,
            CancelCommand.class,
            InspectCommand.class,
            CheckpointsCommand.class,
            DemoCommand.class,
            DemoJobCommand.class,
            SimulateCommand.class,
            BenchCommand.class,
            HelpCommand.class
        })
final class WeirCommand {
    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Show where in the code an error came from.")
    private boolean stackTrace;

    boolean isStackTraceWanted() {
        return stackTrace;
    }
}
