package io.weir.engine.cli;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Restore;

/**
 * How a job runs: a job may go on with others.
 *
 * @param parallelism subtasks of every step.
 * @param workers threads that run the tasks.
 * @param checkpoints when and how, without their place.
 * @param restore what it begins with.
 * @param statePlace where the state lives.
 */
record JobSettings(int parallelism, int workers, Checkpoints checkpoints, Restore restore, StatePlace statePlace) {
    /** Where state lives while a job runs. */
    enum StatePlace {
        MEMORY,
        SCRATCH_FILE
    }
}
