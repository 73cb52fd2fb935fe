package io.weir.transport.channel;

/**
 * Who reads a gate.
 *
 * @param attempt execution attempt; frames of others are dropped.
 * @param name of the task, for errors.
 * @param maxRecordLength in bytes, header and padding included.
 */
public record GateSettings(int attempt, String name, int maxRecordLength) {}
