package io.weir.engine.task;

import io.weir.engine.operator.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One task's counters by {@code uid/name}. Added and written by the task thread, read by any. */
public final class TaskCounters {
    /** Name of a source's count of records that it could not read and skipped, each once over the job's life. */
    static final String SKIPPED = "badRecords";

    private final Map<String, TaskCounter> counters = new ConcurrentHashMap<>();

    Counter counter(final String uid, final String name) {
        return counters.computeIfAbsent(uid + "/" + name, key -> new TaskCounter());
    }

    /**
     * The records that sources have skipped, each once over the job's life.
     *
     * @param sums of the counters of all tasks, by {@code uid/name}.
     * @return their number.
     */
    public static long skipped(final Map<String, Long> sums) {
        return sums.entrySet().stream()
                .filter(sum -> sum.getKey().endsWith("/" + SKIPPED))
                .mapToLong(Map.Entry::getValue)
                .sum();
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
