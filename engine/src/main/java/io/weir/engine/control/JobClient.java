package io.weir.engine.control;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.control.ControlRequest.Command;
import io.weir.engine.status.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks a job that another process runs. Each question is a connection of its own; its end, or this process's, stops nothing that was
 * begun. Immutable, any thread; blocks until there is an answer.
 */
public final class JobClient {
    private static final long STATUS_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final Path folder;

    JobClient(final Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ControlException(
                    Files.exists(folder) ? folder + " is not a folder" : "there is no folder " + folder);
        }
        this.folder = folder;
    }

    /**
     * The job as of now.
     *
     * @return its state first, then attempts, restarts, checkpoints and counters.
     * @throws ControlException if it can't be asked, or does not answer within some seconds.
     */
    public List<JobFact> status() {
        return ask(new ControlRequest(Command.STATUS, null, null, null), STATUS_LIMIT_NS)
                .facts();
    }

    /**
     * Has a savepoint taken, and waits for it.
     *
     * @param directory for it, null for the job's own checkpoint folder.
     * @param format of its state.
     * @return its folder.
     * @throws ControlException if nothing came of it, or the job can't be asked.
     */
    public Path savepoint(final Path directory, final SavepointFormat format) {
        return path(ask(new ControlRequest(Command.SAVEPOINT, format, absolute(directory), null), NO_LIMIT));
    }

    /**
     * Has the job stopped behind a savepoint, and waits for that.
     *
     * @param directory for it, null for the job's own checkpoint folder.
     * @param format of its state.
     * @param mode what becomes of the input.
     * @return the savepoint's folder.
     * @throws ControlException if nothing came of it, or the job can't be asked.
     */
    public Path stopWithSavepoint(final Path directory, final SavepointFormat format, final StopMode mode) {
        return path(ask(new ControlRequest(Command.STOP, format, absolute(directory), mode), NO_LIMIT));
    }

    /**
     * Has the job stopped behind a last checkpoint, and waits for that.
     *
     * @param mode what becomes of the input.
     * @return the job's last state.
     * @throws ControlException if the job goes on, or can't be asked.
     */
    public JobState stop(final StopMode mode) {
        return state(ask(new ControlRequest(Command.STOP, null, null, mode), NO_LIMIT));
    }

    /**
     * Has the job ended without a further checkpoint, and waits for that.
     *
     * @return the job's last state: it may have ended otherwise before it heard.
     * @throws ControlException if the job has failed, or can't be asked.
     */
    public JobState cancel() {
        return state(ask(new ControlRequest(Command.CANCEL, null, null, null), NO_LIMIT));
    }

    private static Path absolute(final Path directory) {
        return directory == null ? null : directory.toAbsolutePath().normalize();
    }

    private static Path path(final ControlAnswer answer) {
        return Path.of(answer.facts().get(0).value());
    }

    private static JobState state(final ControlAnswer answer) {
        return JobState.valueOf(answer.facts().get(0).value());
    }

    private ControlAnswer ask(final ControlRequest request, final long limitNs) {
        final ControlAnswer answer = new ControlClient(folder).ask(request.line() + "\n", limitNs);
        if (answer.error() != null) {
            throw new ControlException(answer.error());
        }
        return answer;
    }
}
