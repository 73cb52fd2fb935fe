package io.weir.engine.cli;

import io.weir.engine.api.StopMode;
import io.weir.engine.control.JobClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir stop}: stops a job that runs in another process. */
@Command(
        name = "stop",
        description = {
            "Stops a running job behind a last checkpoint, or a savepoint, whose results are committed; waits for that, and prints"
                    + " the job's last state, or the savepoint's folder.",
            "Ended while it waits, this command stops nothing: the job stops. Exit status 1 if it goes on."
        })
final class StopCommand implements Callable<Integer> {
    private static final String JOBS_OWN = "";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ControlledFolder folder;

    @Option(
            names = "--savepoint",
            arity = "0..1",
            fallbackValue = JOBS_OWN,
            paramLabel = "DIR",
            description = "Behind a savepoint, made in this folder. Default: in the job's own checkpoint folder.")
    private String savepoint;

    @Option(
            names = "--native",
            description = "The savepoint in the form of the job's state backend, which alone reads it: faster.")
    private boolean isNative;

    @Option(
            names = "--drain",
            description =
                    "End the input where it is: windows close, everything is flushed. The job does not go on after"
                            + " that.")
    private boolean isDrained;

    @Override
    public Integer call() {
        if (isNative && savepoint == null) {
            throw new ParameterException(spec.commandLine(), "--native goes with --savepoint only");
        }
        final PrintWriter out = spec.commandLine().getOut();
        final JobClient job = folder.client();
        final StopMode mode = isDrained ? StopMode.DRAIN : StopMode.SUSPEND;
        if (savepoint == null) {
            out.println(job.stop(mode).name().toLowerCase(Locale.ROOT));
        } else {
            final Path directory = savepoint.equals(JOBS_OWN) ? null : Path.of(savepoint);
            out.println(job.stopWithSavepoint(directory, SavepointCommand.format(isNative), mode));
        }
        out.flush();
        return 0;
    }
}
