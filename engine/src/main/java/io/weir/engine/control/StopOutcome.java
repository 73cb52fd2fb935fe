package io.weir.engine.control;

import io.weir.engine.api.StopMode;
import java.nio.file.Path;

/**
 * How a job was stopped by another process.
 *
 * @param mode what became of the input.
 * @param savepoint that it was stopped behind, null if it was a checkpoint.
 */
public record StopOutcome(StopMode mode, Path savepoint) {}
