package io.weir.engine.task;

import io.weir.engine.barrier.BarrierSettings;
import io.weir.storage.checkpoint.CheckpointStore;
import java.util.concurrent.Executor;
import org.agrona.concurrent.EpochNanoClock;

/**
 * What the tasks of one attempt have in common.
 *
 * @param jobName of the job.
 * @param attempt execution attempt.
 * @param maxParallelism number of key groups.
 * @param barriers how checkpoints treat what is in flight.
 * @param checkpoints where snapshots go.
 * @param io threads that may block.
 * @param listener that hears of the tasks.
 * @param clock of the engine.
 */
public record TaskSettings(
        String jobName,
        int attempt,
        int maxParallelism,
        BarrierSettings barriers,
        CheckpointStore checkpoints,
        Executor io,
        TaskListener listener,
        EpochNanoClock clock) {}
