package io.weir.engine.operator;

import io.weir.engine.api.OutputTag;
import io.weir.storage.state.KeyedStateStore;
import java.util.List;

/** What an operator asks of its task. Task thread only. */
public interface OperatorContext {
    /**
     * The job.
     *
     * @return its name.
     */
    String jobName();

    /**
     * The operator's id, which its state is kept under.
     *
     * @return unique within the job.
     */
    String uid();

    /**
     * The subtask.
     *
     * @return index in [0, {@link #parallelism()}).
     */
    int subtask();

    /**
     * The parallelism of the operator.
     *
     * @return number of subtasks.
     */
    int parallelism();

    /**
     * Whether the job goes on from a checkpoint that was taken with another parallelism of the operator.
     *
     * @return false also if it begins empty.
     */
    boolean isRescaled();

    /**
     * Whether restored state that the operator does not ask for is left behind.
     *
     * @return false if it is refused.
     */
    default boolean leavesUnclaimedState() {
        return false;
    }

    /**
     * The number of key groups of the job.
     *
     * @return its max parallelism.
     */
    int maxParallelism();

    /**
     * The execution attempt.
     *
     * @return rising over the job's life, also over processes.
     */
    long attempt();

    /**
     * The receiver of the operator's main output.
     *
     * @param <R> type of its records.
     * @return never null; drops what nobody takes.
     */
    <R> Receiver<R> output();

    /**
     * The receiver of a side output.
     *
     * @param tag of the output.
     * @param <R> type of its records.
     * @return never null; drops what nobody takes.
     */
    <R> Receiver<R> sideOutput(OutputTag<R> tag);

    /**
     * The keyed state and timers of the task. Names must begin with the uid and a slash.
     *
     * @return the store.
     */
    KeyedStateStore state();

    /**
     * List state that this operator gave to the restored snapshot, redistributed if the parallelism has changed: see {@link
     * Redistribution#split}.
     *
     * @param name as given.
     * @return its elements, empty without any.
     */
    List<byte[]> restored(String name);

    /**
     * List state that the operators of all subtasks gave to the restored snapshot.
     *
     * @param name as given.
     * @return the elements in order of the subtasks, empty without any.
     */
    List<byte[]> restoredOfAll(String name);

    /**
     * Broadcast state that this operator, or if there was none yet that of another subtask, gave to the restored snapshot: see
     * {@link Redistribution#broadcastSource}. Once per name. What is not asked for while operators open fails the task.
     *
     * @param name as given.
     * @return its elements, empty without any.
     */
    List<byte[]> restoredBroadcast(String name);

    /**
     * The watermark of the restored snapshot.
     *
     * @return {@link Long#MIN_VALUE} without any.
     */
    long restoredWatermarkNs();

    /**
     * The partitions of the source at the head of this chain.
     *
     * @return null if the chain does not begin with a source.
     */
    SourcePartitions partitions();

    /**
     * Whether an output is blocked, so that work which can wait should wait for {@link Operator#resume()}.
     *
     * @return true if so.
     */
    boolean outputBlocked();

    /**
     * The time of this duty cycle.
     *
     * @return epoch nanoseconds.
     */
    long nowNs();

    /**
     * Runs something that may block on an I/O thread. Actions of one task run one at a time, in this order.
     *
     * @param action that may block; if it throws, the task fails.
     * @param onDone runs on the task thread when the action has succeeded.
     */
    void execute(IoAction action, Runnable onDone);

    /**
     * A counter that can be read from outside under the operator's uid.
     *
     * @param name such as {@code late}.
     * @return the same counter for the same name.
     */
    Counter counter(String name);
}
