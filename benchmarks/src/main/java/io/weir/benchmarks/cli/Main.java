package io.weir.benchmarks.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The door of {@code weir bench}. */
public final class Main {
    private Main() {}

    /**
     * Runs a benchmark and ends the process: 0 for success, 1 for failure, 2 for wrong usage.
     *
     * @param args which one, and its options.
     */
    public static void main(final String[] args) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine().execute(args));
    }

    /** The commands, not yet run. */
    static CommandLine commandLine() {
        final CommandLine commandLine = new CommandLine(new BenchCommand()).setCaseInsensitiveEnumValuesAllowed(true);
        // What looks like an option is one of JMH's, also -h.
        final CommandLine jmh = commandLine.getSubcommands().get("jmh");
        jmh.setUnmatchedOptionsArePositionalParams(true).setExpandAtFiles(false);
        jmh.getCommandSpec()
                .addOption(OptionSpec.builder("--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build());
        commandLine.setParameterExceptionHandler(Main::onWrongUsage);
        return commandLine;
    }

    private static int onWrongUsage(final CommandLine.ParameterException error, final String[] args) {
        final String command = error.getCommandLine().getCommandSpec().qualifiedName();
        error.getCommandLine()
                .getErr()
                .println(command + ": " + error.getMessage().strip() + " (see " + command + " --help)");
        return CommandLine.ExitCode.USAGE;
    }
}
