package io.weir.engine.recovery;

import io.weir.engine.task.CheckpointMetrics;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskListener;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/** The inbox of a job's thread: any thread puts, the job's thread takes and is woken. */
final class JobEvents implements TaskListener {
    private static final int SKIPPED_KEPT = 20;

    private final ManyToOneConcurrentLinkedQueue<JobEvent> queue = new ManyToOneConcurrentLinkedQueue<>();
    /** Guarded by itself. What is read again after a failure is skipped again, at the same place. */
    private final Set<String> skippedFirst = new LinkedHashSet<>();

    private volatile boolean isSkippedFull;
    private volatile Thread reader;

    /** The calling thread is the one that takes. */
    void claim() {
        reader = Thread.currentThread();
    }

    void put(final JobEvent event) {
        queue.add(event);
        LockSupport.unpark(reader);
    }

    JobEvent poll() {
        return queue.poll();
    }

    /** Waits until something is put, the time has passed, or for no reason. */
    void await(final long timeoutNs) {
        if (queue.isEmpty()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
    }

    List<String> skippedFirst() {
        synchronized (skippedFirst) {
            return List.copyOf(skippedFirst);
        }
    }

    @Override
    public void acknowledged(
            final TaskId task,
            final int attempt,
            final long checkpointId,
            final TaskPart part,
            final CheckpointMetrics metrics) {
        put(new JobEvent.Acknowledged(task, attempt, checkpointId, part, metrics));
    }

    @Override
    public void declined(final TaskId task, final int attempt, final long checkpointId, final Decline decline) {
        put(new JobEvent.Declined(task, attempt, checkpointId, decline));
    }

    @Override
    public void awaitsFinalCheckpoint(final TaskId task, final int attempt) {
        put(new JobEvent.AwaitsFinal(task, attempt));
    }

    @Override
    public void caughtUp(final TaskId task, final int attempt) {
        put(new JobEvent.CaughtUp(task, attempt));
    }

    @Override
    public void finished(final TaskId task, final int attempt) {
        put(new JobEvent.Finished(task, attempt));
    }

    @Override
    public void failed(final TaskId task, final int attempt, final Throwable cause) {
        put(new JobEvent.Failed(task, attempt, cause));
    }

    @Override
    public void givenUp(final TaskId task, final int attempt, final Throwable cause) {
        put(new JobEvent.GivenUp(task, attempt, cause));
    }

    @Override
    public void skipped(final TaskId task, final String reason) {
        if (!isSkippedFull) {
            synchronized (skippedFirst) {
                skippedFirst.add(reason);
                isSkippedFull = skippedFirst.size() >= SKIPPED_KEPT;
            }
        }
    }

    @Override
    public void settled(final TaskId task, final int attempt) {
        put(new JobEvent.Settled(task, attempt));
    }

    @Override
    public void closed(final TaskId task, final int attempt) {
        put(new JobEvent.Closed(task, attempt));
    }
}
