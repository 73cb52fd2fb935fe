package io.weir.transport.memory;

/** What a {@link MemoryContext} was when the transport was launched. */
record MemorySettings(int dataCapacity, int controlCapacity, int maxBatchLength, int maxRecordLength) {}
