package io.weir.engine.cli;

import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.Restore;
import io.weir.engine.cli.text.Durations;
import io.weir.storage.state.KeyGroups;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code weir run}. */
final class RunOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--input",
            required = true,
            paramLabel = "FILE",
            description = "CSV file, or CSV file packed as .gz.")
    private Path input;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the job: its checkpoints, and its results as Chronicle Queues windows and late.")
    private Path output;

    @Option(
            names = "--csv",
            paramLabel = "OUT.csv",
            description = "Export the windows, sorted, and late rows to OUT.late.csv beside it.")
    private Path csv;

    @Option(
            names = "--window",
            defaultValue = "60s",
            paramLabel = "TIME",
            description = "Size of the windows, aligned to event time zero. Default: ${DEFAULT-VALUE}.")
    private Duration window;

    @Option(
            names = "--lateness",
            defaultValue = "5s",
            paramLabel = "TIME",
            description = "How far a record may come behind a later one of its source. Default: ${DEFAULT-VALUE}.")
    private Duration lateness;

    @Option(
            names = "--dedup",
            paramLabel = "COLUMN",
            description = {
                "Drop records whose value in this column was seen before in their source.",
                "It also orders records of the same event time (open, close, first, last), which is else left to arrival."
            })
    private String dedup;

    @Option(
            names = "--parallelism",
            defaultValue = "1",
            paramLabel = "N",
            description = "Subtasks of every step. Default: ${DEFAULT-VALUE}.")
    private int parallelism;

    @Option(
            names = "--workers",
            defaultValue = "2",
            paramLabel = "N",
            description = "Threads that run them. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--checkpoint-interval",
            defaultValue = "100ms",
            paramLabel = "TIME",
            description =
                    "From one checkpoint to the next; results become visible with them. Default: ${DEFAULT-VALUE}.")
    private Duration checkpointInterval;

    @Option(
            names = "--unaligned",
            arity = "0..1",
            fallbackValue = "0",
            paramLabel = "TIME",
            description =
                    "Let barriers overtake the data in flight, which is then part of the checkpoint: at once, or after"
                            + " they have waited for TIME.")
    private Duration unaligned;

    @Option(
            names = "--at-least-once",
            description = "Let nothing wait for barriers. After a crash, records may count twice.")
    private boolean atLeastOnce;

    @Option(
            names = "--scratch-file",
            description = "Keep the state in a scratch file under DIR, where it may outgrow memory.")
    private boolean scratchFile;

    @Option(
            names = "--on-bad-record",
            defaultValue = "fail",
            paramLabel = "fail|skip",
            description = "End the job at a line that is no record, or count and report it and go on. Default:"
                    + " ${DEFAULT-VALUE}.")
    private OnBadRecord onBadRecord;

    @Option(
            names = "--from-savepoint",
            paramLabel = "PATH",
            description = {
                "Begin with a savepoint, or a checkpoint that another job has left (.../chk-N). All of it is copied first.",
                "The same command again goes on from the newest checkpoint."
            })
    private Path savepoint;

    @Option(
            names = "--claim",
            description = "Make the savepoint the job's own: it is deleted once the job has all of it.")
    private boolean isClaimed;

    @Option(
            names = "--allow-unmatched-state",
            description =
                    "Leave behind state in the savepoint that no operator of the job asks for, instead of refusing it.")
    private boolean isUnmatchedStateAllowed;

    /** As it was given. */
    Path input() {
        return input;
    }

    Path output() {
        return output.toAbsolutePath().normalize();
    }

    Path csv() {
        return csv;
    }

    long windowNs() {
        return atLeast("--window", window, 1);
    }

    long latenessNs() {
        return atLeast("--lateness", lateness, 0);
    }

    String dedup() {
        return dedup;
    }

    JobSettings settings() {
        return new JobSettings(
                between("--parallelism", parallelism, KeyGroups.DEFAULT_MAX_PARALLELISM),
                between("--workers", workers, Weir.Context.MAX_WORKERS),
                checkpoints(),
                restore(),
                scratchFile ? JobSettings.StatePlace.SCRATCH_FILE : JobSettings.StatePlace.MEMORY);
    }

    OnBadRecord onBadRecord() {
        return onBadRecord;
    }

    private Restore restore() {
        if (savepoint == null) {
            if (isClaimed || isUnmatchedStateAllowed) {
                throw new ParameterException(
                        spec.commandLine(),
                        (isClaimed ? "--claim" : "--allow-unmatched-state") + " goes with --from-savepoint only");
            }
            return Restore.newest();
        }
        final Restore from = Restore.from(savepoint.toAbsolutePath().normalize());
        final Restore claimed = isClaimed ? from.claim() : from;
        return isUnmatchedStateAllowed ? claimed.allowUnmatchedState() : claimed;
    }

    private Checkpoints checkpoints() {
        atLeast(
                "--checkpoint-interval",
                checkpointInterval,
                Duration.ofMillis(1).toNanos());
        final Checkpoints checkpoints = Checkpoints.every(checkpointInterval);
        if (unaligned != null && atLeastOnce) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--unaligned and --at-least-once exclude each other: where nothing waits for barriers none has to"
                            + " overtake");
        }
        if (unaligned != null) {
            checkpoints.unaligned(unaligned);
        }
        return atLeastOnce ? checkpoints.atLeastOnce() : checkpoints;
    }

    private long atLeast(final String option, final Duration value, final long leastNs) {
        if (value.toNanos() < leastNs) {
            throw new ParameterException(spec.commandLine(), option + " must be at least " + Durations.print(leastNs));
        }
        return value.toNanos();
    }

    private int between(final String option, final int value, final int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be at least 1 and at most " + most + ", not " + value);
        }
        return value;
    }
}
