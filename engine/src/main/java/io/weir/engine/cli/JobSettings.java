package io.weir.engine.cli;

import java.time.Duration;

/**
 * How a job runs; its result does not depend on it.
 *
 * @param workers threads that run the tasks.
 * @param checkpointInterval from one checkpoint to the next.
 * @param statePlace where the state lives.
 */
record JobSettings(int workers, Duration checkpointInterval, StatePlace statePlace) {
    /** Where state lives while a job runs. */
    enum StatePlace {
        MEMORY,
        SCRATCH_FILE
    }
}
