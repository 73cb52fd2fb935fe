package io.weir.engine.recovery;

import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.util.ArrayList;
import java.util.List;

/** Writes down what tasks tell their job, one line each. */
class ToldByTasks implements TaskListener {
    private final List<String> lines = new ArrayList<>();
    private final List<TaskPart> parts = new ArrayList<>();
    private Throwable lastCause;

    /** What was told since the last call. */
    public List<String> take() {
        final List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    /** The parts of checkpoints that were acknowledged. */
    public List<TaskPart> parts() {
        return parts;
    }

    /** Of the last decline or failure. */
    public Throwable lastCause() {
        return lastCause;
    }

    @Override
    public void acknowledged(
            final TaskId task,
            final int attempt,
            final long checkpointId,
            final TaskPart part,
            final CheckpointMetrics metrics) {
        parts.add(part);
        lines.add(task.index() + " acknowledged " + checkpointId);
    }

    @Override
    public void declined(final TaskId task, final int attempt, final long checkpointId, final Decline decline) {
        lastCause = decline.cause();
        lines.add(task.index() + " declined " + checkpointId + " " + decline.reason());
    }

    @Override
    public void awaitsFinalCheckpoint(final TaskId task, final int attempt) {
        lines.add(task.index() + " awaits final checkpoint");
    }

    @Override
    public void caughtUp(final TaskId task, final int attempt) {
        // Every source does, and says so once.
    }

    @Override
    public void finished(final TaskId task, final int attempt) {
        lines.add(task.index() + " finished");
    }

    @Override
    public void failed(final TaskId task, final int attempt, final Throwable cause) {
        lastCause = cause;
        lines.add(task.index() + " failed");
    }

    @Override
    public void givenUp(final TaskId task, final int attempt, final Throwable cause) {
        lastCause = cause;
        lines.add(task.index() + " given up");
    }

    @Override
    public void skipped(final TaskId task, final String reason) {
        lines.add(task.index() + " skipped " + reason);
    }

    @Override
    public void settled(final TaskId task, final int attempt) {
        lines.add(task.index() + " settled");
    }

    @Override
    public void closed(final TaskId task, final int attempt) {
        lines.add(task.index() + " closed");
    }
}
