package io.weir.engine.task;

import io.weir.engine.operator.SourcePartitions;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochNanoClock;

/**
 * One parallel instance of a chain, run by a worker: it never blocks and never locks, and stops only between records.
 *
 * <p>One duty cycle: control first (mailbox, priority lane), also when the outputs are blocked; then the outbox; then work that
 * was put off; then timers and input up to a budget; then everything emitted goes out together.
 *
 * <p>The worker's thread, but for what says otherwise.
 */
public final class Task {
    /** Records and events that a task consumes in one duty cycle before it sends what they made. */
    private static final int BUDGET = 256;

    /** How long a task may consume in one duty cycle, as far as single records let it. */
    private static final long LONGEST_NS = 200_000;

    /** Records and events that it consumes before it looks at the clock again: an operator may become slow at any time. */
    private static final int LONGEST_STEP = 64;

    private static final long NOT_SUSPENDED = 0;

    private final TaskEnvironment environment;
    private final TaskListener listener;
    private final TaskInput input;
    private final Chain chain;
    private final TaskOutputs outputs;
    private final TaskBarriers barriers;
    private final SnapshotDriver snapshots;
    private volatile TaskState state = TaskState.CREATED;
    private long suspendedBy;
    private boolean putOff;
    private int step = 1;

    Task(
            final TaskEnvironment environment,
            final TaskSettings settings,
            final TaskInput input,
            final Chain chain,
            final TaskBarriers barriers,
            final TaskChannels channels) {
        this.environment = environment;
        this.input = input;
        this.chain = chain;
        this.barriers = barriers;
        listener = settings.listener();
        outputs = environment.outputs();
        snapshots = new SnapshotDriver(environment, chain, input, channels, settings);
        barriers.wire(this, snapshots);
        if (input instanceof SourcePartitions partitions) {
            environment.partitions(partitions);
        }
    }

    /**
     * The task's name. Any thread.
     *
     * @return its id.
     */
    public TaskId id() {
        return environment.id();
    }

    /**
     * Where the task stands. Any thread.
     *
     * @return the state after the last duty cycle.
     */
    public TaskState state() {
        return state;
    }

    /**
     * What the task counts. Any thread.
     *
     * @return its counters.
     */
    public TaskCounters counters() {
        return environment.counters();
    }

    /**
     * Opens operators and input. May block: runs on the job's thread, before the task is handed to its worker.
     *
     * @param nowNs epoch nanoseconds.
     * @throws TaskException if an operator or the input can't be opened.
     */
    public void open(final long nowNs) {
        environment.nowNs(nowNs);
        try {
            if (input.isRestoredFinished()) {
                state = TaskState.DRAINING;
            } else {
                chain.open();
                state = TaskState.RUNNING;
            }
            input.open();
            refuseUnclaimedState();
        } catch (final TaskException e) {
            throw e;
        } catch (final Exception e) {
            throw new TaskException("task " + id().display() + " could not be opened: " + TaskException.reason(e), e);
        }
        putOff = true;
    }

    /**
     * Triggers a checkpoint here. Any thread.
     *
     * @param checkpointId of the checkpoint.
     * @param triggerTimeNs at the coordinator, epoch nanoseconds.
     * @param options for the barriers.
     */
    public void trigger(final long checkpointId, final long triggerTimeNs, final int options) {
        environment.mailbox().add(new TaskMessage.Trigger(checkpointId, triggerTimeNs, options));
    }

    /**
     * Tells that a checkpoint has completed. Any thread.
     *
     * @param checkpointId of the checkpoint.
     */
    public void checkpointComplete(final long checkpointId) {
        environment.mailbox().add(new TaskMessage.Complete(checkpointId));
    }

    /**
     * Tells that a checkpoint was given up. Any thread.
     *
     * @param checkpointId of the checkpoint.
     */
    public void checkpointAborted(final long checkpointId) {
        environment.mailbox().add(new TaskMessage.Abort(checkpointId));
    }

    /** Ends the task's source, if it has one, as if its data had. Any thread. */
    public void endSource() {
        environment.mailbox().add(new TaskMessage.EndSource());
    }

    /**
     * Asks to hear through {@link TaskListener#settled} when everything that was told to the task before this, and the blocking
     * work that came of it, is done. Any thread.
     */
    public void settle() {
        environment.mailbox().add(new TaskMessage.Settle());
    }

    /**
     * One duty cycle.
     *
     * @param nowNs epoch nanoseconds.
     * @return the amount of work done, 0 if the task stalled or has nothing to do.
     * @throws Exception if the task fails; it must not be run again, only closed.
     */
    public int doWork(final long nowNs) throws Exception {
        environment.nowNs(nowNs);
        int work = readMailbox();
        work += input.pollControl(nowNs);
        work += barriers.doWork(nowNs);
        if (!outputs.drain()) {
            return work;
        }
        if (isSuspended()) {
            outputs.flush();
            return work;
        }
        if (putOff && !chainResumed()) {
            outputs.flush();
            return work + 1;
        }
        if (state == TaskState.RUNNING) {
            work += consume(nowNs);
        }
        if (state == TaskState.DRAINING && !putOff) {
            outputs.endOfData();
            barriers.onOutputsEnded();
            state = TaskState.ENDED;
            work++;
        }
        outputs.flush();
        if (!putOff) {
            work += environment.store().doWork();
        }
        if (state == TaskState.ENDED || state == TaskState.AWAITING_FINAL_CHECKPOINT) {
            work += finishOrWait();
        }
        return work;
    }

    /** Frees everything, also after a failure. The worker's thread, or any if the task never reached one. Idempotent. */
    public void close() {
        if (state == TaskState.CLOSED) {
            return;
        }
        final boolean opened = state != TaskState.CREATED;
        state = TaskState.CLOSED;
        snapshots.close();
        environment.lane().close();
        final Throwable failure = opened ? chain.close() : null;
        final IoLane lane = environment.lane();
        CloseHelper.closeAll(
                input::close,
                outputs::close,
                // A snapshot that is being written still reads the store.
                () -> lane.executeLast(environment.store()::close));
        if (failure != null) {
            listener.failed(id(), environment.attempt(), failure);
        }
    }

    /**
     * Whether an output is blocked, so that the driver may need a turn.
     *
     * @return true if so.
     */
    public boolean isBlocked() {
        return outputs.isBlocked();
    }

    /**
     * Whether no blocking work of the task runs any more. Any thread, after {@link #close()}.
     *
     * @return true if so.
     */
    public boolean isQuiet() {
        return environment.lane().isQuiet();
    }

    /** The task has taken its part of the checkpoint behind which the job stops: it does nothing more unless that is aborted. */
    void suspend(final long checkpointId) {
        suspendedBy = checkpointId;
    }

    /** A checkpoint was given up, and if the task stood still for it, it goes on. */
    void resume(final long checkpointId) {
        if (suspendedBy == checkpointId) {
            suspendedBy = NOT_SUSPENDED;
        }
    }

    private boolean isSuspended() {
        return suspendedBy != NOT_SUSPENDED;
    }

    boolean hasSentEndOfData() {
        return state == TaskState.ENDED || state == TaskState.AWAITING_FINAL_CHECKPOINT || isFinished();
    }

    boolean isFinished() {
        return state == TaskState.FINISHED;
    }

    private void refuseUnclaimedState() {
        if (input.isRestoredFinished()) {
            return;
        }
        if (environment.restored().leavesUnclaimed()) {
            environment.store().dropUnclaimed();
            environment.restored().dropUnclaimedBroadcast();
            return;
        }
        final List<String> unclaimed = new ArrayList<>(environment.store().unclaimed());
        unclaimed.addAll(environment.restored().unclaimedBroadcast());
        if (!unclaimed.isEmpty()) {
            throw TaskException.permanent(
                    "task " + id().display() + ": the checkpoint has the states " + unclaimed
                            + " that no operator asks for any more; Restore.allowUnmatchedState leaves them behind",
                    null);
        }
    }

    private int consume(final long nowNs) throws Exception {
        chain.processingTime(nowNs);
        int consumed = 0;
        if (!outputs.isBlocked()) {
            consumed = consumeInSteps(nowNs);
            if (consumed > 0 && !input.isEnded() && !isSuspended()) {
                chain.batchEnd(nowNs);
            }
        }
        if (input.isEnded()) {
            state = TaskState.DRAINING;
        }
        putOff = outputs.isBlocked();
        return consumed;
    }

    /**
     * A barrier may be announced at any time, so that a slow operator's records come few at a time: steps begin with one record and
     * grow while there is time. The control lane is read between them, for a barrier may have been the last of a step.
     */
    private int consumeInSteps(final long nowNs) throws Exception {
        final EpochNanoClock clock = environment.clock();
        final long beginNs = clock.nanoTime();
        int consumed = 0;
        int limit = step;
        while (true) {
            final int count = input.poll(nowNs, limit);
            consumed += count;
            final long tookNs = clock.nanoTime() - beginNs;
            if (tookNs > LONGEST_NS) {
                step = (int) Math.max(1, Math.min(LONGEST_STEP, consumed * LONGEST_NS / tookNs));
                return consumed;
            }
            if (count < limit || outputs.isBlocked() || input.isEnded() || isSuspended()) {
                return consumed;
            }
            step = Math.max(step, limit);
            limit = nextLimit(consumed, tookNs);
            if (limit <= 0) {
                return consumed;
            }
            input.pollControl(nowNs);
            if (isSuspended()) {
                return consumed;
            }
        }
    }

    /** As many as there is time for, if they are like those before them. */
    private int nextLimit(final int consumed, final long tookNs) {
        final long timely = tookNs <= 0 ? BUDGET : consumed * (LONGEST_NS - tookNs) / tookNs;
        return (int) Math.min(Math.min(2L * step, LONGEST_STEP), Math.min(BUDGET - consumed, timely));
    }

    private boolean chainResumed() throws Exception {
        putOff = state != TaskState.CREATED && !input.isRestoredFinished() && !chain.resume();
        return !putOff;
    }

    private int finishOrWait() {
        if (!outputs.isEmpty()) {
            return 0;
        }
        if (!input.isRestoredFinished() && chain.awaitsFinalCheckpoint()) {
            if (state == TaskState.AWAITING_FINAL_CHECKPOINT) {
                return 0;
            }
            state = TaskState.AWAITING_FINAL_CHECKPOINT;
            listener.awaitsFinalCheckpoint(id(), environment.attempt());
            return 1;
        }
        state = TaskState.FINISHED;
        environment.lane().execute(() -> listener.finished(id(), environment.attempt())); // behind acknowledgements
        return 1;
    }

    private int readMailbox() throws Exception {
        int count = 0;
        for (TaskMessage message; (message = environment.mailbox().poll()) != null; count++) {
            if (message instanceof TaskMessage.Trigger trigger) {
                barriers.onTrigger(trigger.checkpointId(), trigger.triggerTimeNs(), trigger.options());
            } else if (message instanceof TaskMessage.Complete complete) {
                snapshots.complete(complete.checkpointId());
            } else if (message instanceof TaskMessage.Abort abort) {
                barriers.onAbort(abort.checkpointId());
            } else if (message instanceof TaskMessage.EndSource) {
                input.end();
            } else if (message instanceof TaskMessage.IoDone done) {
                done.onDone().run();
            } else if (message instanceof TaskMessage.Settle) {
                // Through the mailbox again, behind the failures of what the lane did before.
                environment.lane().execute(() -> environment.mailbox().add(new TaskMessage.Settled()));
            } else if (message instanceof TaskMessage.Settled) {
                listener.settled(id(), environment.attempt());
            } else if (message instanceof TaskMessage.IoFailed failed) {
                throw new TaskException(
                        "operator " + failed.uid() + ": " + TaskException.reason(failed.cause()), failed.cause());
            }
        }
        return count;
    }
}
