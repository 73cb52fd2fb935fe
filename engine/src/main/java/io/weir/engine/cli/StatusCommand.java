package io.weir.engine.cli;

import io.weir.engine.control.JobFact;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir status}: how a job goes that runs in another process. */
@Command(
        name = "status",
        description =
                "Prints how a running job goes: a line with name and value for its state, each restart, checkpoints, counters.")
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ControlledFolder folder;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        for (final JobFact fact : folder.client().status()) {
            out.printf("%-24s%s%n", fact.name(), fact.value().replaceAll("\\s*\\R\\s*", " "));
        }
        out.flush();
        return 0;
    }
}
