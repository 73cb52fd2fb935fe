package io.weir.engine.recovery;

import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.state.StateBackend;

/**
 * What a job is.
 *
 * @param plan to run.
 * @param checkpoints when and how many.
 * @param barriers how they treat what is in flight.
 * @param storage where they go.
 * @param backend of keyed state.
 * @param restarts after failures.
 * @param restore what it begins with.
 */
public record JobSpec(
        PhysicalPlan plan,
        CheckpointSettings checkpoints,
        BarrierSettings barriers,
        CheckpointStorage storage,
        StateBackend backend,
        RestartStrategy restarts,
        Restore restore) {}
