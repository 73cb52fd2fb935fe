package io.weir.engine.cli;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.inspect.CheckpointInspection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The folder, and perhaps the checkpoint in it, that a command was given. What it can't be is wrong usage. */
final class CheckpointArguments {
    private final CommandLine command;
    private final Path given;
    private final String option;
    private final Long checkpointId;

    /** A folder, and what {@code option} said, null if it was not given. */
    CheckpointArguments(final CommandLine command, final Path folder, final String option, final Long checkpointId) {
        this.command = command;
        this.given = folder;
        this.option = option;
        this.checkpointId = checkpointId;
        if (checkpointId != null && checkpointId < 1) {
            throw wrong(option + " " + checkpointId + " must be at least 1");
        }
    }

    /** The one job whose folder was given; the savepoint's in it if that was chosen. */
    CheckpointFolder job() {
        return checked(usage(() -> CheckpointFolder.at(new DiskFileStore(), folder())));
    }

    /** The one job whose folder was given, and not only a checkpoint's in it. */
    CheckpointFolder wholeJob() {
        final CheckpointFolder job = job();
        if (job.isSavepoint()) {
            throw wrong(given + " is a savepoint, not the folder of a job");
        }
        if (job.only() > 0) {
            throw wrong(given + " is the folder of one checkpoint, name its job's: " + job.path());
        }
        return job;
    }

    /** The jobs that have checkpoints in the folder; one if a checkpoint was chosen, whose id is only unique in its job. */
    List<CheckpointFolder> jobs() {
        return checkpointId != null
                ? List.of(job())
                : usage(() -> CheckpointFolder.allAt(new DiskFileStore(), folder()));
    }

    /** The checkpoint that was chosen by its folder or its id, 0 if none was. */
    long chosen(final CheckpointFolder job) {
        return checkpointId != null ? checkpointId : job.only();
    }

    /** Opens the chosen checkpoint or the newest; null if none was chosen and none is completed. */
    CheckpointInspection open(final CheckpointFolder job) {
        final long chosen = chosen(job);
        return chosen == 0 ? CheckpointInspection.openNewest(job) : usage(() -> CheckpointInspection.open(job, chosen));
    }

    /** Refuses a checkpoint that was chosen and is not there, or not completed. */
    void requireCompleted(final CheckpointFolder job, final long id) {
        if (!job.isCompleted(id)) {
            throw wrong("checkpoint " + id + " in " + job.path() + " is "
                    + (job.isThere(id) ? "not completed" : "not there"));
        }
    }

    private CheckpointFolder checked(final CheckpointFolder job) {
        if (checkpointId != null && job.only() > 0 && checkpointId != job.only()) {
            throw wrong(given + " is " + (job.isSavepoint() ? "savepoint " : "checkpoint ") + job.only() + ", but "
                    + option + " says " + checkpointId);
        }
        if (checkpointId != null && !job.isThere(checkpointId)) {
            return job.savepoints().stream()
                    .filter(savepoint -> savepoint.only() == checkpointId)
                    .findFirst()
                    .orElse(job);
        }
        return job;
    }

    /** A job of {@code weir run} has its checkpoints in a folder of its own. */
    private Path folder() {
        final Path inside = given.resolve("checkpoints");
        return Files.isDirectory(inside) ? inside : given;
    }

    private <T> T usage(final Supplier<T> look) {
        try {
            return look.get();
        } catch (final CheckpointStorageException e) {
            throw wrong(e.getMessage());
        }
    }

    private ParameterException wrong(final String what) {
        return new ParameterException(command, what);
    }
}
