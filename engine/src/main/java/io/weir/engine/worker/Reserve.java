package io.weir.engine.worker;

/**
 * Heap that is kept for the moment when a function has filled the rest: its job needs some to hear of that and to close the attempt,
 * which frees what the function holds. Any thread.
 */
final class Reserve {
    /** Class loading takes the most of it. */
    static final int LENGTH = 2 << 20;

    private final int length;

    @SuppressWarnings("unused") // it is there to be let go
    private volatile byte[] bytes;

    /** An empty one. */
    Reserve(final int length) {
        this.length = length;
    }

    /** Gives the heap what was kept. */
    void spend() {
        bytes = null;
    }

    /** Keeps some again, if there is any. */
    void fill() {
        if (bytes == null) {
            try {
                bytes = new byte[length];
            } catch (final OutOfMemoryError e) {
                bytes = null; // the next attempt may find some
            }
        }
    }
}
