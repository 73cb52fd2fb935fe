package io.weir.benchmarks.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** {@code weir bench}. */
@Command(
        name = "weir bench",
        description = "Makes figures, and tells the machine, the flags and what else ran there.",
        mixinStandardHelpOptions = true,
        subcommands = {
            BarriersCommand.class,
            CommitCommand.class,
            JmhCommand.class,
            RecoveryCommand.class,
            StateCommand.class,
            TransportCommand.class,
            HelpCommand.class
        })
final class BenchCommand {}
