package io.weir.engine.cli;

import io.weir.engine.cli.job.JobFolderException;
import io.weir.storage.log.LogException;
import java.io.PrintWriter;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The door: reads the command line, runs the command, turns every error into one line and an exit status. */
public final class Main {
    /** Exit status of a command that failed. */
    static final int FAILURE = 1;

    /** Exit status of a job that another process has stopped or cancelled: the same command goes on. */
    static final int UNFINISHED = 3;

    private Main() {}

    /**
     * Runs a command and ends the process with its status: 0 for success, 1 for failure, 2 for wrong usage.
     *
     * @param args the command line.
     */
    public static void main(final String[] args) {
        final Thread early = new Thread(Main::endedEarly, "weir-early-signal");
        Runtime.getRuntime().addShutdownHook(early);
        quieten(List.of(args).contains("--stacktrace"));
        final CommandLine commandLine = commandLine();
        commandLine.setExecutionStrategy(parsed -> isBegun(early) ? run(parsed) : FAILURE);
        final int status = commandLine.execute(args);
        if (isBegun(early)) {
            System.exit(status);
        }
    }

    private static void endedEarly() {
        System.err.println("weir: ended by a signal before anything was begun");
    }

    /** From now on the command itself hears signals. False if one has come: then nothing may begin, the process ends. */
    private static boolean isBegun(final Thread early) {
        try {
            Runtime.getRuntime().removeShutdownHook(early);
            return true;
        } catch (final IllegalStateException endsAlready) {
            return false;
        }
    }

    /** The commands, not yet run. */
    static CommandLine commandLine() {
        final CommandLine commandLine = new CommandLine(new WeirCommand());
        commandLine.addSubcommand("completion", new AutoComplete.GenerateCompletion());
        final CommandLine completion = commandLine.getSubcommands().get("completion");
        completion.getCommandSpec().name("completion").usageMessage().hidden(false);
        completion
                .getCommandSpec()
                .usageMessage()
                .description("Prints a script that completes commands in bash: source <(weir completion)");
        commandLine.getSubcommands().get("bench").setUnmatchedArgumentsAllowed(true);
        commandLine.registerConverter(java.time.Duration.class, new DurationConverter());
        commandLine.setParameterExceptionHandler(Main::onWrongUsage);
        commandLine.setExecutionStrategy(Main::run);
        commandLine.setExecutionExceptionHandler(Main::onFailure);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        return commandLine;
    }

    /** An error of the JVM would pass through, but where a method is the command: it is told like every other. */
    private static int run(final ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (final Error error) {
            throw new CommandLine.ExecutionException(
                    parsed.commandSpec().commandLine(), String.valueOf(error.getMessage()), error);
        }
    }

    /** The commands tell what users need to know; the log is for those who ask for more. */
    private static void quieten(final boolean isStackTraceWanted) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.setProperty(
                "java.util.logging.SimpleFormatter.format",
                "weir: %4$s: %5$s" + (isStackTraceWanted ? "%6$s" : "") + "%n");
        Logger.getLogger("").setLevel(isStackTraceWanted ? Level.INFO : Level.SEVERE);
    }

    private static int onWrongUsage(final CommandLine.ParameterException error, final String[] args) {
        final String command = error.getCommandLine().getCommandSpec().qualifiedName();
        final PrintWriter err = error.getCommandLine().getErr();
        err.println(command + ": " + oneLine(usageError(error)) + " (see " + command + " --help)");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /** An option that nobody knows is often the missing one, misspelt. */
    private static String usageError(final CommandLine.ParameterException error) {
        final List<String> unknown = error.getCommandLine().getUnmatchedArguments();
        return error instanceof CommandLine.MissingParameterException && !unknown.isEmpty()
                ? new CommandLine.UnmatchedArgumentException(error.getCommandLine(), unknown).getMessage()
                : error.getMessage();
    }

    private static int onFailure(final Exception error, final CommandLine command, final ParseResult result) {
        final PrintWriter err = command.getErr();
        err.println("weir: " + describe(error));
        final WeirCommand top = (WeirCommand) command.getCommandSpec().root().userObject();
        if (top.isStackTraceWanted()) {
            error.printStackTrace(err);
        }
        err.flush();
        return FAILURE;
    }

    private static String describe(final Exception raised) {
        // An error of the JVM comes wrapped.
        final Throwable error = raised instanceof CommandLine.ExecutionException && raised.getCause() instanceof Error
                ? raised.getCause()
                : raised;
        if (error instanceof OutOfMemoryError) {
            return "out of memory: " + oneLine(error.getMessage())
                    + "; WEIR_JAVA_OPTS can give more: -Xmx for the heap, -XX:MaxDirectMemorySize for direct memory";
        }
        if (error instanceof InternalError && String.valueOf(error.getMessage()).contains("unsafe memory access")) {
            return "a mapped file has no space: its disk is full, or the memory file system of the channels, which is"
                    + " /dev/shm (--stacktrace tells where)";
        }
        final boolean isExplained = error instanceof UserException
                || error instanceof JobFolderException
                || error instanceof LogException
                || error.getClass().getName().startsWith("io.weir.");
        final String message = oneLine(error.getMessage());
        return isExplained
                ? message
                : "unexpected " + error.getClass().getName() + ": " + message + " (--stacktrace tells where)";
    }

    private static String oneLine(final String message) {
        return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
