package io.weir.benchmarks.state;

import org.agrona.collections.Long2ObjectHashMap;

/** Objects in Agrona's map from long, changed in place: what a program would do that keeps its state to itself. */
final class ObjectMapContender implements Contender {
    private static final class Value {
        private long count;
        private final long key;
        private final long complement;

        private Value(final long key) {
            this.key = key;
            this.complement = ~key;
        }
    }

    private final Long2ObjectHashMap<Value> map = new Long2ObjectHashMap<>();

    @Override
    public String name() {
        return "Agrona map";
    }

    @Override
    public void fill(final Keys.Draw keys) {
        for (final long key : keys.keys()) {
            map.put(key, new Value(key));
        }
    }

    @Override
    public long read(final Keys.Draw keys) {
        long sum = 0;
        for (final long key : keys.keys()) {
            sum += map.get(key).count;
        }
        return sum;
    }

    @Override
    public void update(final Keys.Draw keys) {
        for (final long key : keys.keys()) {
            map.get(key).count++;
        }
    }

    @Override
    public long count(final long key, final int keyGroup) {
        final Value value = map.get(key);
        return value != null && value.key == key && value.complement == ~key ? value.count : WRONG;
    }

    @Override
    public void close() {
        map.clear();
    }
}
