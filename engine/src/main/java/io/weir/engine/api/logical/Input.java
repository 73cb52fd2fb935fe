package io.weir.engine.api.logical;

import io.weir.engine.api.OutputTag;

/**
 * Where a step takes records from.
 *
 * @param from the step.
 * @param tag of its side output, null for its main output.
 */
public record Input(Step from, OutputTag<?> tag) {}
