package io.weir.engine.barrier;

/** The bytes of records that a task has processed since its start. */
final class ProcessedBytes {
    private long count;

    void add(long bytes) {
        count += bytes;
    }

    long count() {
        return count;
    }
}
