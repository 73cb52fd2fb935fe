package io.weir.engine.harness;

/**
 * A record that an operator emitted.
 *
 * @param value of the record.
 * @param timestampNs of the record.
 * @param sourceWatermarkNs of the record.
 */
public record Emission(Object value, long timestampNs, long sourceWatermarkNs) {}
