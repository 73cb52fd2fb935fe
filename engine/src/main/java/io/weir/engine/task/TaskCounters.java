package io.weir.engine.task;

import io.weir.engine.operator.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One task's counters by {@code uid/name}. Added and written by the task thread, read by any. */
public final class TaskCounters {
    private final Map<String, TaskCounter> counters = new ConcurrentHashMap<>();

    Counter counter(final String uid, final String name) {
        return counters.computeIfAbsent(uid + "/" + name, key -> new TaskCounter());
    }

    /**
     * Adds this task's counts to a sum over tasks.
     *
     * @param sums by {@code uid/name}.
     */
    public void addTo(final Map<String, Long> sums) {
        counters.forEach((name, counter) -> sums.merge(name, counter.get(), Long::sum));
    }
}
