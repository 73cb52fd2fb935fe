package io.weir.engine.control;

import io.weir.engine.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * Lets other processes of the same user ask a running job: for its status, a savepoint, a stop, its end. {@link #connect} is their
 * side. Nobody else can: the socket lies in a folder of mode 0700. Any thread.
 *
 * <p>Needs a system with Unix domain sockets and POSIX permissions.
 */
public final class JobControl implements AutoCloseable {
    private static final long TIME_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private final ControlServer server;

    private JobControl(final ControlServer server) {
        this.server = server;
    }

    /**
     * Serves a job, in {@code folder/control}, until this is closed or the process dies. May block shortly.
     *
     * @param folder that is there, and by which others find the job; one job at a time.
     * @param job to serve.
     * @return close it when the job has ended, so that whoever waits for that hears of it.
     * @throws ControlException if the folder can't be used, or another process serves a job in it.
     */
    public static JobControl open(final Path folder, final Job job) {
        return open(folder, new ServedJob(job), TIME_LIMIT_NS);
    }

    static JobControl open(final Path folder, final ControlledJob job, final long timeLimitNs) {
        final ControlSocket socket = ControlSocket.open(folder);
        try {
            final ControlServer server = new ControlServer(socket, job, timeLimitNs);
            server.start();
            return new JobControl(server);
        } catch (final IOException e) {
            CloseHelper.close(e::addSuppressed, socket);
            throw new ControlException("the job of " + folder + " can't be served: " + e.getMessage(), e);
        }
    }

    /**
     * Finds the job that is served in a folder.
     *
     * @param folder that was given to {@link #open}.
     * @return asks the job.
     * @throws ControlException if there is no such folder; whether the job runs shows with the first question.
     */
    public static JobClient connect(final Path folder) {
        return new JobClient(folder);
    }

    /**
     * How another process has stopped the job. All is known once this is closed behind the job's end.
     *
     * @return null if none has.
     */
    public StopOutcome stopOutcome() {
        return server.stopOutcome();
    }

    /**
     * Serves the job no longer, and deletes the socket. Whoever waits for something is answered before, if the job has ended; what
     * was begun goes on else. Waits for that, at most some seconds. Idempotent.
     */
    @Override
    public void close() {
        server.close();
    }
}
