package io.weir.engine.control;

import io.weir.engine.status.JobState;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What was asked of a job and has begun: polled until it has an answer. It goes on whether anybody polls or not. */
@FunctionalInterface
interface Operation {
    /** The answer, or null as long as there is none. Never blocks. */
    ControlAnswer poll();

    /** Begins what a request asks for. */
    static Operation begin(final ControlledJob job, final ControlRequest request) {
        return switch (request.command()) {
            case STATUS -> done(ControlAnswer.ok(JobFacts.of(job.status())));
            case SAVEPOINT -> path(job.savepoint(request.directory(), request.format()));
            case STOP -> stop(job, request);
            case CANCEL -> {
                job.cancel();
                yield () -> ended(job);
            }
        };
    }

    private static Operation done(final ControlAnswer answer) {
        return () -> answer;
    }

    private static Operation stop(final ControlledJob job, final ControlRequest request) {
        if (request.format() != null) {
            return path(job.stopWithSavepoint(request.directory(), request.format(), request.mode()));
        }
        if (job.status().state().isTerminal()) {
            return done(ControlAnswer.error(
                    "the job has ended already: " + job.status().state()));
        }
        job.stop(request.mode());
        return () -> {
            final ControlAnswer ended = ended(job);
            return ended == null && job.hasStopFailed()
                    ? ControlAnswer.error("the job goes on: its last checkpoint came to nothing: "
                            + job.status().checkpoints().lastAbortReason())
                    : ended;
        };
    }

    private static ControlAnswer ended(final ControlledJob job) {
        final JobState state = job.status().state();
        if (state == JobState.FAILED) {
            return ControlAnswer.error("the job has failed");
        }
        return state.isTerminal() ? ControlAnswer.ok("state", state) : null;
    }

    private static Operation path(final CompletableFuture<Path> future) {
        return () -> future.isDone() ? pathOf(future) : null;
    }

    private static ControlAnswer pathOf(final CompletableFuture<Path> future) {
        try {
            return ControlAnswer.ok("path", future.join());
        } catch (final CompletionException | CancellationException e) {
            return ControlAnswer.error(message(e.getCause() == null ? e : e.getCause()));
        }
    }

    /** An error in one line. */
    static String message(final Throwable error) {
        return error.getMessage() == null
                ? error.getClass().getSimpleName()
                : error.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
