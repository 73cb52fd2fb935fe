package io.weir.engine.recovery;

import io.weir.engine.api.CheckpointException;
import io.weir.engine.api.SavepointFormat;
import io.weir.engine.coordinator.CheckpointFailureReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What users have asked for and wait to hear of: each request has a number, under which the coordinator answers it. Nobody waits
 * longer than the job lives. Any thread.
 */
final class JobRequests {
    private final Executor answers;
    private final Map<Long, Request> open = new HashMap<>();
    private volatile boolean stopFailed;
    private long lastId;
    private String end;

    /** Nobody has asked yet; whoever does is told by the executor. */
    JobRequests(final Executor answers) {
        this.answers = answers;
    }

    /** Asks for a checkpoint. */
    synchronized Request add() {
        return add(null, null);
    }

    /** Asks for a savepoint, in a directory or, if that is null, in the job's checkpoint folder. */
    synchronized Request add(final Path directory, final SavepointFormat format) {
        final Request request = new Request(++lastId, directory, format, new CompletableFuture<>());
        if (end == null) {
            open.put(request.id, request);
        } else {
            fail(request, end);
        }
        return request;
    }

    /** An open request, or null if it was answered. */
    synchronized Request get(final long requestId) {
        return open.get(requestId);
    }

    void done(final long requestId, final Taken taken) {
        final Request request = remove(requestId);
        if (request != null) {
            request.answer.completeAsync(() -> taken, answers);
        }
    }

    /** A stop came to nothing: who hears of it finds that {@link #hasStopFailed} says so. */
    void stopFailed(final long requestId, final String message) {
        stopFailed = true;
        failed(requestId, message);
    }

    /** A stop is asked for: what came of the last one is past. */
    void stopAsked() {
        stopFailed = false;
    }

    /** Whether the last stop came to nothing. */
    boolean hasStopFailed() {
        return stopFailed;
    }

    void failed(final long requestId, final String message) {
        final Request request = remove(requestId);
        if (request != null) {
            fail(request, message);
        }
    }

    /** Refuses what is asked for while no attempt runs. */
    void refuseBetweenAttempts(final JobEvent event, final String jobName) {
        if (event instanceof JobEvent.Request request) {
            failed(request.requestId(), "job " + jobName + " is restarting after a failure; ask again when it runs");
        }
    }

    /** The job has ended, or is about to: nothing that is asked for from now on can be. */
    void end(final String message) {
        final List<Request> left;
        synchronized (this) {
            end = message;
            left = new ArrayList<>(open.values());
            open.clear();
        }
        left.forEach(request -> fail(request, message));
    }

    private synchronized Request remove(final long requestId) {
        return open.remove(requestId);
    }

    private void fail(final Request request, final String message) {
        final CheckpointException failure = new CheckpointException(message);
        answers.execute(() -> request.answer.completeExceptionally(failure));
    }

    /** Why a request was refused, for people. */
    static String words(final CheckpointFailureReason reason) {
        return switch (reason) {
            case NOT_ALL_RUNNING -> "not all of its tasks run yet";
            case TOO_MANY_REQUESTS -> "too many requests wait already";
            case STOPPING -> "it is stopping";
            case ALL_FINISHED -> "all of its tasks have finished";
            case JOB_FAILED -> "it failed meanwhile";
            case SHUTDOWN -> "it was ended meanwhile";
            default -> reason.name();
        };
    }

    /**
     * One request.
     *
     * @param id of the request.
     * @param directory for a savepoint, null for the job's checkpoint folder.
     * @param format of a savepoint, null if a checkpoint is asked for.
     * @param answer to come.
     */
    record Request(long id, Path directory, SavepointFormat format, CompletableFuture<Taken> answer) {}

    /**
     * What was taken.
     *
     * @param checkpointId of it.
     * @param savepoint its folder; null for a checkpoint.
     */
    record Taken(long checkpointId, Path savepoint) {}
}
