package io.weir.storage.snapshot;

import java.util.List;

/**
 * What makes a checkpoint complete: every task's part of it.
 *
 * @param jobName of the job.
 * @param checkpointId in [1, ...), rising over the job's life.
 * @param attempt execution attempt that took it.
 * @param triggerTimeMs wall clock of the trigger.
 * @param maxParallelism number of key groups.
 * @param stateBackend name of the backend that wrote the keyed state.
 * @param tasks every task of the job, finished ones too.
 */
public record Manifest(
        String jobName,
        long checkpointId,
        long attempt,
        long triggerTimeMs,
        int maxParallelism,
        String stateBackend,
        List<TaskPart> tasks) {

    /** Copies the list. */
    public Manifest {
        tasks = List.copyOf(tasks);
    }

    /**
     * One task's part.
     *
     * @param vertexUid of the chain the task runs: the uid of its first operator.
     * @param operatorUids of all operators in the chain, in order.
     * @param subtask index in [0, parallelism).
     * @param parallelism of the vertex.
     * @param finished whether the task had reached the end of all its data.
     * @param segment that holds its state, null if the task has none.
     * @param shared segments that hold the rest of its keyed state, oldest first; other checkpoints may name them too.
     */
    public record TaskPart(
            String vertexUid,
            List<String> operatorUids,
            int subtask,
            int parallelism,
            boolean finished,
            SegmentHandle segment,
            List<SegmentHandle> shared) {
        /** Copies the lists. */
        public TaskPart {
            shared = List.copyOf(shared);
            operatorUids = List.copyOf(operatorUids);
        }
    }
}
