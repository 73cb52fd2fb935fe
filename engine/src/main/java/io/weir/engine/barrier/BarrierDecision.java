package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What one event comes to: actions gather, then the outcome is named and counted and the new state shown. */
final class BarrierDecision {
    private final Map<BarrierOutcome, AtomicLong> counts = new EnumMap<>(BarrierOutcome.class);
    private List<BarrierAction> actions = new ArrayList<>();
    private BarrierOutcome outcome;
    private volatile BarrierState state;
    private volatile long currentCheckpointId = BarrierHandler.NO_CHECKPOINT;

    BarrierDecision(BarrierState initial) {
        for (BarrierOutcome each : BarrierOutcome.values()) {
            counts.put(each, new AtomicLong());
        }
        this.state = initial;
    }

    void add(BarrierAction action) {
        actions.add(action);
    }

    List<BarrierAction> done(BarrierOutcome reached, BarrierState now, long checkpointId) {
        outcome = reached;
        counts.get(reached).incrementAndGet();
        state = now;
        currentCheckpointId = checkpointId;
        if (actions.isEmpty()) {
            return List.of();
        }
        List<BarrierAction> result = actions;
        actions = new ArrayList<>();
        return result;
    }

    BarrierOutcome outcome() {
        return outcome;
    }

    BarrierState state() {
        return state;
    }

    long currentCheckpointId() {
        return currentCheckpointId;
    }

    long count(BarrierOutcome of) {
        return counts.get(of).get();
    }
}
