package io.weir.engine;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.RestartStrategy;
import io.weir.storage.state.StateBackend;
import java.time.Duration;
import java.util.Objects;
import org.agrona.ErrorHandler;

/**
 * Checked settings of an engine.
 *
 * @param workers number of worker threads, at least 1.
 * @param pinWorkers whether each is pinned to a core.
 * @param aeronDirectory of an external media driver, or null for an embedded one.
 * @param checkpoints of every job.
 * @param stateBackend of every job.
 * @param restartStrategy of every job.
 * @param stuckTaskTimeout that a task may keep its worker's thread.
 * @param errorHandler that hears what belongs to no job.
 */
record EngineSettings(
        int workers,
        boolean pinWorkers,
        String aeronDirectory,
        Checkpoints.Settings checkpoints,
        StateBackend stateBackend,
        RestartStrategy restartStrategy,
        Duration stuckTaskTimeout,
        ErrorHandler errorHandler) {
    EngineSettings {
        Objects.requireNonNull(stateBackend, "stateBackend");
        Objects.requireNonNull(restartStrategy, "restartStrategy");
        Objects.requireNonNull(stuckTaskTimeout, "stuckTaskTimeout");
        Objects.requireNonNull(errorHandler, "errorHandler");
        if (stuckTaskTimeout.isNegative() || stuckTaskTimeout.isZero()) {
            throw new IllegalArgumentException("stuckTaskTimeout=" + stuckTaskTimeout + " must be positive");
        }
        if (workers < 1 || workers > Weir.Context.MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "workers=" + workers + " must be in [1, " + Weir.Context.MAX_WORKERS + "]");
        }
    }

    /** A timeout that no clock can count is as good as none. */
    long stuckTaskTimeoutNs() {
        final boolean fits = stuckTaskTimeout.compareTo(Duration.ofNanos(Long.MAX_VALUE / 4)) < 0;
        return fits ? stuckTaskTimeout.toNanos() : Long.MAX_VALUE / 4;
    }
}
