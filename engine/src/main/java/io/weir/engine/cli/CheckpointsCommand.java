package io.weir.engine.cli;

import io.weir.engine.cli.inspect.CheckpointReport;
import io.weir.engine.cli.inspect.Verification;
import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.checkpoint.OrphanSweep;
import io.weir.storage.inspect.CheckpointInspection;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir checkpoints}: what an operator does with checkpoint folders. */
@Command(
        name = "checkpoints",
        description = "Lists, shows, verifies and tidies the checkpoints of jobs.",
        synopsisSubcommandLabel = "COMMAND")
final class CheckpointsCommand {
    private static final String ID = "--id";
    private static final String ANY_FOLDER =
            "Checkpoint folder, folder of a job in it, one chk-N in that, or a savepoint; or the --output folder of weir run.";
    private static final String WHICH = "The checkpoint, by its id.";

    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            description = {
                "Lists the checkpoints of a job, or of all jobs in a checkpoint folder.",
                "Claims and changes nothing, so jobs may run."
            })
    int list(@Parameters(paramLabel = "DIR", description = ANY_FOLDER) final Path folder) {
        final CheckpointReport report = new CheckpointReport(out());
        arguments("list", folder, null).jobs().forEach(report::printList);
        out().flush();
        return 0;
    }

    @Command(
            name = "show",
            description = {
                "Shows what is in a checkpoint: operators, tasks, states, timers, lists, channel state, files and damage. (weir"
                        + " inspect prints entries.)",
                "Claims and changes nothing, so the job may run."
            })
    int show(
            @Parameters(paramLabel = "DIR", description = ANY_FOLDER) final Path folder,
            @Option(names = ID, paramLabel = "N", description = WHICH + " Default: the newest.") final Long id) {
        final CheckpointArguments arguments = arguments("show", folder, id);
        final CheckpointFolder job = arguments.job();
        try (CheckpointInspection inspection = arguments.open(job)) {
            if (inspection == null) {
                throw new UserException("no checkpoint in " + job.path() + " is completed");
            }
            new CheckpointReport(out()).print(inspection, true);
            InspectCommand.refuseDamage(job, inspection);
        } finally {
            out().flush();
        }
        return 0;
    }

    @Command(
            name = "verify",
            description = {
                "Reads every byte of every completed checkpoint: names, lengths, checksums, shared segments too.",
                "Exit status 1 if any is damaged. Claims and changes nothing, so jobs may run."
            })
    int verify(
            @Parameters(paramLabel = "DIR", description = ANY_FOLDER) final Path folder,
            @Option(names = ID, paramLabel = "N", description = WHICH + " Default: all.") final Long id) {
        final CheckpointArguments arguments = arguments("verify", folder, id);
        final Verification verification = new Verification(out());
        try {
            for (final CheckpointFolder job : arguments.jobs()) {
                final long chosen = arguments.chosen(job);
                if (chosen > 0) {
                    arguments.requireCompleted(job, chosen);
                    verification.verify(job, chosen);
                } else {
                    verification.verifyAll(job);
                }
            }
        } finally {
            out().flush();
        }
        if (verification.damaged() > 0) {
            throw new UserException(verification.damaged() + " of " + (verification.damaged() + verification.sound())
                    + " completed checkpoints in " + folder + " are damaged");
        }
        return 0;
    }

    @Command(
            name = "delete-orphans",
            description = {
                "Deletes what no completed checkpoint of a job needs: checkpoints and savepoints in its folder that were never"
                        + " completed, temporary files, and shared segments that no manifest names.",
                "Refused while a process uses the folder. A job does the same when it starts."
            })
    int deleteOrphans(
            @Parameters(
                            paramLabel = "DIR",
                            description =
                                    "Folder of a job, or checkpoint folder with one job; or the --output folder of weir run.")
                    final Path folder,
            @Option(names = "--dry-run", description = "Only list them.") final boolean isDry) {
        final PrintWriter out = out();
        final CheckpointFolder job = arguments("delete-orphans", folder, null).wholeJob();
        try (OrphanSweep sweep = OrphanSweep.claim(job)) {
            final long bytes = sweep.orphans().stream()
                    .mapToLong(OrphanSweep.Orphan::bytes)
                    .sum();
            if (isDry) {
                sweep.orphans().forEach(orphan -> say(out, "orphan ", job, orphan));
            } else {
                sweep.delete(orphan -> say(out, "deleted", job, orphan));
            }
            out.println((isDry ? "would delete " : "deleted ") + sweep.orphans().size() + " orphans of " + bytes
                    + " bytes in " + job.path());
            if (!sweep.unreadable().isEmpty()) {
                throw new UserException(
                        "all shared segments are kept, since a manifest that can't be read may need any of them: "
                                + sweep.unreadable().get(0));
            }
        } finally {
            out.flush();
        }
        return 0;
    }

    private static void say(
            final PrintWriter out, final String what, final CheckpointFolder job, final OrphanSweep.Orphan orphan) {
        out.println(what + "  " + orphan.kind().name().toLowerCase(Locale.ROOT) + "  " + orphan.bytes() + "  "
                + job.path().relativize(orphan.path()));
    }

    private CheckpointArguments arguments(final String command, final Path folder, final Long id) {
        final CommandLine subcommand = spec.subcommands().get(command);
        return new CheckpointArguments(subcommand, folder, ID, id);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
