package io.weir.engine.simulation;

import java.util.concurrent.TimeUnit;

/**
 * What an input record means: everything follows from its id, which is unique, so that the job and the model need to share nothing
 * else.
 */
final class Facts {
    /** How far a record may come behind a later one of its partition; some come later still. */
    static final long BOUND_MS = 15;

    static final long WINDOW_MS = 50;
    private static final long STEP_MS = 5;
    private static final int JITTER_MS = 40;
    private static final int KEYS = 11;
    private static final int VALUES = 1_000;
    private static final long INPUT_STRIDE = 100_000_000;
    private static final long PARTITION_STRIDE = 100_000;

    private Facts() {}

    static long id(final int input, final int partition, final int index) {
        return input * INPUT_STRIDE + partition * PARTITION_STRIDE + index;
    }

    static long key(final long id) {
        return Long.remainderUnsigned(mix(id), KEYS);
    }

    static long value(final long id) {
        return Long.remainderUnsigned(mix(id + 1), VALUES);
    }

    static long timeMs(final long id) {
        return id % PARTITION_STRIDE * STEP_MS + JITTER_MS - Long.remainderUnsigned(mix(id + 2), JITTER_MS);
    }

    static long timeNs(final long id) {
        return TimeUnit.MILLISECONDS.toNanos(timeMs(id));
    }

    /** The end of the window of a record. */
    static long windowEndMs(final long id) {
        return (timeMs(id) / WINDOW_MS + 1) * WINDOW_MS;
    }

    /** The last step of MurmurHash3, which spreads neighbours. */
    static long mix(final long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
