package io.weir.engine.control;

/**
 * Something that a job tells of itself.
 *
 * @param name such as {@code state}; several facts may have the same, such as {@code restart}.
 * @param value for people.
 */
public record JobFact(String name, String value) {}
