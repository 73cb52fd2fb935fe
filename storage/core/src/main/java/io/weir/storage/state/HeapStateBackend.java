package io.weir.storage.state;

/**
 * State in plain hash maps on the heap: simple above all, and what other backends are compared with. A freeze copies all
 * entries. For state that is small or jobs that can pause; thread-safe, as its stores are independent.
 */
public final class HeapStateBackend implements StateBackend {
    @Override
    public String name() {
        return "heap";
    }

    @Override
    public KeyedStateStore open(final int maxParallelism, final int firstKeyGroup, final int endKeyGroup) {
        if (firstKeyGroup < 0 || firstKeyGroup > endKeyGroup || endKeyGroup > maxParallelism) {
            throw new IllegalArgumentException("key groups [" + firstKeyGroup + ", " + endKeyGroup
                    + ") must lie in [0, maxParallelism=" + maxParallelism + ")");
        }
        return new HeapKeyedStateStore(maxParallelism, firstKeyGroup, endKeyGroup);
    }
}
