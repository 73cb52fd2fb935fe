package io.weir.engine.api;

/**
 * What a {@link ProcessFunction}, {@link KeyedProcessFunction}, {@link BroadcastProcessFunction} or {@link
 * KeyedBroadcastProcessFunction} implements besides, if it has state that belongs to no key, but to the subtask: buffered records,
 * connections, ids. Other functions may not implement it. Task thread.
 */
public interface CheckpointedFunction {
    /**
     * Called once, before {@code open}: the place to ask for lists, keep them in fields, and take over what was restored in them. A
     * list that the checkpoint holds and the function does not ask for fails the job.
     *
     * @param states gives the lists.
     * @throws Exception if it fails: the job fails.
     */
    void initialize(OperatorStates states) throws Exception;

    /**
     * The cut of a checkpoint: the last moment to bring the lists up to date. What is in them then is in the snapshot.
     *
     * @param checkpointId of the checkpoint.
     * @throws Exception if it fails: the checkpoint is declined.
     */
    void snapshot(long checkpointId) throws Exception;
}
