package io.weir.benchmarks.state;

/**
 * Keeps values of three longs under keys of one: a count, the key, and the key's complement. One thread, but {@link #close}.
 */
interface Contender extends AutoCloseable {
    /** What {@link #count} gives for a value that was never put so. */
    long WRONG = -1;

    String name();

    /** Puts values with count 0. */
    void fill(Keys.Draw keys);

    /** Reads values; the sum of their counts. All keys are there. */
    long read(Keys.Draw keys);

    /** Reads values, adds 1 to their counts, and writes them. All keys are there. */
    void update(Keys.Draw keys);

    /** The count under a key, or {@link #WRONG}. */
    long count(long key, int keyGroup);

    /** How many keys of a draw to look up when all would take too long. */
    default int affordable(final int keys) {
        return keys;
    }

    @Override
    void close();
}
