package io.weir.engine.task;

import io.weir.storage.checkpoint.CheckpointStore;
import java.util.concurrent.Executor;

/**
 * What the tasks of one attempt have in common.
 *
 * @param jobName of the job.
 * @param attempt execution attempt.
 * @param maxParallelism number of key groups.
 * @param checkpoints where snapshots go.
 * @param io threads that may block.
 * @param listener that hears of the tasks.
 */
public record TaskSettings(
        String jobName,
        int attempt,
        int maxParallelism,
        CheckpointStore checkpoints,
        Executor io,
        TaskListener listener) {}
