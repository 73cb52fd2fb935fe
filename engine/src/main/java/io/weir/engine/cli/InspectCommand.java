package io.weir.engine.cli;

import io.weir.engine.cli.inspect.CheckpointReport;
import io.weir.engine.cli.inspect.StateReport;
import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.inspect.CheckpointInspection;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir inspect}: looks into checkpoints. */
@Command(
        name = "inspect",
        description = {
            "Shows the checkpoints of a job, and what is in one: tasks, states, timers, lists, files and damage.",
            "Claims and changes nothing, so the job may run."
        })
final class InspectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "Checkpoint folder of a job, or one chk-N folder in it; or the --output folder of weir run.")
    private Path folder;

    @Option(names = "--checkpoint", paramLabel = "N", description = "The checkpoint to look into. Default: the newest.")
    private Long checkpoint;

    @Option(
            names = "--state",
            paramLabel = "NAME",
            description = "Print the entries of a state or of timers, by whole name or what follows the operator's.")
    private String state;

    @Option(names = "--key", paramLabel = "K", description = "Only the entries of one key.")
    private String key;

    @Option(names = "--limit", paramLabel = "N", description = "Print at most so many entries.")
    private Long limit;

    @Option(names = "--files", description = "List all files of the checkpoint too, and not the damaged ones only.")
    private boolean files;

    @Override
    public Integer call() {
        check();
        final PrintWriter out = spec.commandLine().getOut();
        final CheckpointArguments arguments =
                new CheckpointArguments(spec.commandLine(), folder, "--checkpoint", checkpoint);
        final CheckpointFolder job = arguments.job();
        if (state == null) {
            new CheckpointReport(out).printList(job);
        }
        try (CheckpointInspection inspection = arguments.open(job)) {
            if (inspection == null) {
                return nothingCompleted(job);
            }
            if (state == null) {
                new CheckpointReport(out).print(inspection, files);
            } else {
                new StateReport(out, inspection, state).print(key, limit == null ? Long.MAX_VALUE : limit);
            }
            refuseDamage(job, inspection);
        } finally {
            out.flush();
        }
        return 0;
    }

    private void check() {
        if (state == null && (key != null || limit != null)) {
            throw new ParameterException(
                    spec.commandLine(), (key != null ? "--key" : "--limit") + " goes with --state only");
        }
        if (state != null && files) {
            throw new ParameterException(spec.commandLine(), "--files goes without --state only");
        }
        if (limit != null && limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit " + limit + " must be at least 1");
        }
    }

    private int nothingCompleted(final CheckpointFolder job) {
        if (state != null) {
            throw new UserException("no checkpoint in " + job.path() + " is completed");
        }
        return 0;
    }

    static void refuseDamage(final CheckpointFolder job, final CheckpointInspection inspection) {
        final int count = inspection.damages().size();
        if (count > 0) {
            throw new UserException("checkpoint " + inspection.checkpointId() + " in " + job.path() + " is damaged: "
                    + inspection.damages().get(0) + (count > 1 ? " (and " + (count - 1) + " more)" : ""));
        }
    }
}
