package io.weir.storage.state;

/**
 * State in plain hash maps on the heap: simple above all, and what other backends are compared with. A freeze copies all
 * entries. For state that is small or jobs that can pause; thread-safe, as its stores are independent.
 */
public final class HeapStateBackend implements StateBackend {
    /** The name of this backend. */
    public static final String NAME = "heap";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public KeyedStateStore open(final StoreContext context) {
        return new HeapKeyedStateStore(context);
    }

    @Override
    public String toString() {
        return NAME;
    }
}
