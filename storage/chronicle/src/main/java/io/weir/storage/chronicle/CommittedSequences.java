package io.weir.storage.chronicle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which transactions of each incarnation were committed, as ranges: one range unless some were aborted in between. Knows the
 * order in which the incarnations of a writer committed.
 */
final class CommittedSequences {
    /** What early journals tell of the writer; also stands for no incarnation. */
    static final long UNKNOWN = 0;

    /** The one that committed last comes last. */
    private final Map<Long, Incarnation> incarnations = new LinkedHashMap<>();

    /** Takes the ranges one by one, those of an incarnation together, that of the last commit at the end. */
    @FunctionalInterface
    interface RangeConsumer {
        void accept(long writer, long incarnation, long first, long last);
    }

    private static final class Incarnation {
        /** Last sequence of each range by its first. */
        private final TreeMap<Long, Long> ranges = new TreeMap<>();

        private long writer;

        void add(final long first, final long last) {
            final Map.Entry<Long, Long> before = ranges.floorEntry(first);
            final boolean joins = before != null && before.getValue() >= first - 1;
            ranges.put(joins ? before.getKey() : first, joins ? Math.max(before.getValue(), last) : last);
        }
    }

    void add(final long writer, final long incarnation, final long first, final long last) {
        final Incarnation known = incarnations.remove(incarnation);
        final Incarnation of = known == null ? new Incarnation() : known;
        of.writer = writer;
        of.add(first, last);
        incarnations.put(incarnation, of);
    }

    boolean contains(final long incarnation, final long sequence) {
        final Incarnation of = incarnations.get(incarnation);
        final Map.Entry<Long, Long> before = of == null ? null : of.ranges.floorEntry(sequence);
        return before != null && before.getValue() >= sequence;
    }

    /** The largest committed sequence, 0 if there is none. */
    long last(final long incarnation) {
        final Incarnation of = incarnations.get(incarnation);
        return of == null ? 0 : of.ranges.lastEntry().getValue();
    }

    /** The incarnation that was the last to commit under a writer's digest, {@link #UNKNOWN} if none is known to have. */
    long newest(final long writer) {
        long newest = UNKNOWN;
        for (final Map.Entry<Long, Incarnation> entry : incarnations.entrySet()) {
            if (entry.getValue().writer == writer) {
                newest = entry.getKey();
            }
        }
        return newest;
    }

    boolean isEmpty() {
        return incarnations.isEmpty();
    }

    void forEach(final RangeConsumer consumer) {
        incarnations.forEach((incarnation, of) ->
                of.ranges.forEach((first, last) -> consumer.accept(of.writer, incarnation, first, last)));
    }
}
