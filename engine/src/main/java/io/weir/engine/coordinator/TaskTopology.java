package io.weir.engine.coordinator;

import java.util.BitSet;
import java.util.List;

/**
 * Which tasks feed which: tasks are numbered from 0, channels are single links between two of them, so that all-to-all
 * and pointwise edges are told alike. Immutable. Loops are refused: barriers can't cut them.
 */
public final class TaskTopology {
    private final BitSet[] upstream;

    /**
     * One link.
     *
     * @param upstreamTask that sends.
     * @param downstreamTask that receives.
     */
    public record Channel(int upstreamTask, int downstreamTask) {}

    /**
     * Takes the tasks and their channels.
     *
     * @param taskCount of the job, at least 1.
     * @param channels between them; several between the same two count as one.
     */
    public TaskTopology(int taskCount, List<Channel> channels) {
        if (taskCount < 1) {
            throw new IllegalArgumentException("taskCount=" + taskCount + " must be >= 1");
        }
        upstream = new BitSet[taskCount];
        for (int task = 0; task < taskCount; task++) {
            upstream[task] = new BitSet();
        }
        for (Channel channel : channels) {
            checkTask(channel.upstreamTask(), channel);
            checkTask(channel.downstreamTask(), channel);
            upstream[channel.downstreamTask()].set(channel.upstreamTask());
        }
        refuseLoops();
    }

    /**
     * The size of the job.
     *
     * @return the number of tasks.
     */
    public int taskCount() {
        return upstream.length;
    }

    /**
     * Tells whether barriers reach a task from none of its inputs, because all of their senders are in the given set.
     *
     * @param task asked for.
     * @param silent tasks that send no barrier (any more).
     * @return true also for a task without inputs.
     */
    boolean isFedOnlyBy(BitSet silent, int task) {
        for (int sender = upstream[task].nextSetBit(0); sender >= 0; sender = upstream[task].nextSetBit(sender + 1)) {
            if (!silent.get(sender)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The tasks that nothing feeds.
     *
     * @return the sources.
     */
    BitSet sources() {
        return firstRunning(new BitSet());
    }

    /**
     * The first running tasks: those that run and that no running task feeds. Barriers enter there.
     *
     * @param finished tasks.
     * @return the tasks to trigger.
     */
    BitSet firstRunning(BitSet finished) {
        BitSet first = new BitSet();
        for (int task = finished.nextClearBit(0); task < upstream.length; task = finished.nextClearBit(task + 1)) {
            if (isFedOnlyBy(finished, task)) {
                first.set(task);
            }
        }
        return first;
    }

    private void refuseLoops() {
        BitSet sorted = new BitSet();
        BitSet next = firstRunning(sorted);
        while (!next.isEmpty()) {
            sorted.or(next);
            next = firstRunning(sorted);
        }
        if (sorted.cardinality() < upstream.length) {
            throw new IllegalArgumentException("task " + sorted.nextClearBit(0) + " is in or behind a loop");
        }
    }

    private void checkTask(int task, Channel channel) {
        if (task < 0 || task >= upstream.length) {
            throw new IllegalArgumentException(channel + " names task " + task + " of " + upstream.length);
        }
    }
}
