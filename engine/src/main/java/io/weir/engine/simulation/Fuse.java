package io.weir.engine.simulation;

/** Makes a user's function fail at some record. */
final class Fuse {
    private static final int OFF = -1;

    private int left = OFF;
    private long blown;

    /** The function fails at a record, counted from now; 0 is the next. */
    void arm(final int records) {
        left = records;
    }

    void disarm() {
        left = OFF;
    }

    long blown() {
        return blown;
    }

    <T> T pass(final T record) {
        if (left >= 0 && left-- == 0) {
            blown++;
            throw new IllegalStateException("simulated failure of a function");
        }
        return record;
    }
}
