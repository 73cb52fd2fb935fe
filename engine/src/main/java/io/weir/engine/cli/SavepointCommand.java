package io.weir.engine.cli;

import io.weir.engine.api.SavepointFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir savepoint}: takes one of a job that runs in another process. */
@Command(
        name = "savepoint",
        description = {
            "Has a running job take a savepoint, and prints the savepoint's folder once it is complete. The job goes on.",
            "Ended while it waits, this command stops nothing: the savepoint is taken."
        })
final class SavepointCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ControlledFolder folder;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Folder that the savepoint's is made in. Default: the job's own checkpoint folder.")
    private Path directory;

    @Option(
            names = "--native",
            description =
                    "In the form of the job's state backend, which alone reads it: faster. Default: in a form that"
                            + " every state backend reads.")
    private boolean isNative;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        out.println(folder.client().savepoint(directory, format(isNative)));
        out.flush();
        return 0;
    }

    static SavepointFormat format(final boolean isNative) {
        return isNative ? SavepointFormat.NATIVE : SavepointFormat.CANONICAL;
    }
}
