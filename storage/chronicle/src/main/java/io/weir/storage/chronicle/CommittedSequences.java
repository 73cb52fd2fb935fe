package io.weir.storage.chronicle;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Which transactions of each incarnation were committed, as ranges: one range unless some were aborted in between. */
final class CommittedSequences {
    /** By incarnation: last sequence of each range by its first. */
    private final Map<Long, TreeMap<Long, Long>> ranges = new HashMap<>();

    /** Takes the ranges one by one. */
    @FunctionalInterface
    interface RangeConsumer {
        void accept(long incarnation, long first, long last);
    }

    void add(final long incarnation, final long first, final long last) {
        final TreeMap<Long, Long> of = ranges.computeIfAbsent(incarnation, ignored -> new TreeMap<>());
        final Map.Entry<Long, Long> before = of.floorEntry(first);
        final boolean joins = before != null && before.getValue() >= first - 1;
        of.put(joins ? before.getKey() : first, joins ? Math.max(before.getValue(), last) : last);
    }

    boolean contains(final long incarnation, final long sequence) {
        final TreeMap<Long, Long> of = ranges.get(incarnation);
        final Map.Entry<Long, Long> before = of == null ? null : of.floorEntry(sequence);
        return before != null && before.getValue() >= sequence;
    }

    /** The largest committed sequence, 0 if there is none. */
    long last(final long incarnation) {
        final TreeMap<Long, Long> of = ranges.get(incarnation);
        return of == null ? 0 : of.lastEntry().getValue();
    }

    void forEach(final RangeConsumer consumer) {
        ranges.forEach((incarnation, of) -> of.forEach((first, last) -> consumer.accept(incarnation, first, last)));
    }
}
