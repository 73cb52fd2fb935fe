package io.weir.engine.api;

/**
 * Gives a function the lists of its subtask, which belong to no key. They are kept on the heap, as bytes, and written whole with
 * each snapshot: for what is small. Task thread, during {@link CheckpointedFunction#initialize} only.
 */
public interface OperatorStates {
    /**
     * A list whose elements are spread over the subtasks when the parallelism changes: each goes to exactly one. With the same
     * parallelism each subtask gets its own again, in order.
     *
     * @param name unique within the function.
     * @param codec of the elements; kept with checkpoints, see {@link Codec#version()}.
     * @param <V> type of the elements.
     * @return the list, for the function's whole life, with what was restored.
     */
    <V> ListState<V> list(String name, Codec<V> codec);

    /**
     * A list of which each subtask gets the elements of all subtasks at a restore, in order of the subtasks, also with the same
     * parallelism. A subtask that does not remove those of the others gives them back with its own at the next snapshot.
     *
     * @param name unique within the function.
     * @param codec of the elements; kept with checkpoints, see {@link Codec#version()}.
     * @param <V> type of the elements.
     * @return the list, for the function's whole life, with what was restored.
     */
    <V> ListState<V> unionList(String name, Codec<V> codec);
}
