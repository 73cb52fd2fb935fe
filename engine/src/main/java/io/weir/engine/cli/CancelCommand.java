package io.weir.engine.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir cancel}: ends a job that runs in another process. */
@Command(
        name = "cancel",
        description = {
            "Ends a running job without a further checkpoint, waits for that, and prints the job's last state.",
            "The same weir run goes on from its newest checkpoint."
        })
final class CancelCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ControlledFolder folder;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        out.println(folder.client().cancel().name().toLowerCase(Locale.ROOT));
        out.flush();
        return 0;
    }
}
