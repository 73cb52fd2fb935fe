package io.weir.engine.coordinator;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What became of the last event and how often what did. Counts may be read from any thread. */
final class OutcomeCounts {
    private final Map<CoordinatorOutcome, AtomicLong> counts = new EnumMap<>(CoordinatorOutcome.class);
    private CoordinatorOutcome first;

    OutcomeCounts() {
        for (CoordinatorOutcome each : CoordinatorOutcome.values()) {
            counts.put(each, new AtomicLong());
        }
    }

    void begin() {
        first = null;
    }

    void note(CoordinatorOutcome reached) {
        counts.get(reached).incrementAndGet();
        if (first == null) {
            first = reached;
        }
    }

    void noteIfFirst(CoordinatorOutcome reached) {
        if (first == null) {
            note(reached);
        }
    }

    CoordinatorOutcome first() {
        return first;
    }

    long count(CoordinatorOutcome of) {
        return counts.get(of).get();
    }
}
