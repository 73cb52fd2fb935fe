package io.weir.engine.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * What a job must have written, told from its input without an engine: a multiset of rows in which what depends on the order of
 * records from different channels is taken apart.
 */
final class Model {
    private final TreeMap<Row, Integer> expected = new TreeMap<>();
    private final List<SimulatedInput> inputs;
    private final Scenario scenario;

    private Model(final Scenario scenario, final List<SimulatedInput> inputs) {
        this.scenario = scenario;
        this.inputs = inputs;
    }

    /**
     * Compares what was written with what should have been.
     *
     * @return the first difference, or null.
     */
    static String difference(final Scenario scenario, final List<SimulatedInput> inputs, final List<Row> written) {
        final Model model = new Model(scenario, inputs);
        model.expect();
        if (!scenario.isExactlyOnce()) {
            return model.missing(written);
        }
        final String unlike = model.compare(written);
        return unlike == null ? model.numberings(written) : unlike;
    }

    private void expect() {
        switch (scenario.topology()) {
            case PIPELINE, UNION, DIAMOND -> {
                final List<Long> all = ids(0);
                if (scenario.topology() == Topology.UNION) {
                    all.addAll(ids(1));
                }
                counted(all);
                timers(all);
            }
            case TWO_INPUTS -> {
                ids(0).forEach(id -> expect(Row.of(Row.PASSED, id, 0, 0)));
                rules(ids(1));
            }
            case KEYED_BROADCAST -> {
                counted(ids(0));
                rules(ids(1));
            }
            case TWO_SINKS -> {
                ids(0).forEach(id -> expect(Row.of(Row.ID, id, 0, 0)));
                windows(inputs.get(0));
            }
            default -> throw new IllegalStateException("no model of " + scenario.topology());
        }
    }

    private List<Long> ids(final int input) {
        final List<Long> ids = new ArrayList<>();
        final SimulatedInput log = inputs.get(input);
        for (int partition = 0; partition < log.partitionCount(); partition++) {
            for (int index = 0; index < log.length(partition); index++) {
                ids.add(log.id(partition, index));
            }
        }
        return ids;
    }

    private void expect(final Row row) {
        expected.merge(row, 1, Integer::sum);
    }

    private void counted(final List<Long> ids) {
        final Map<Long, Long> counts = new HashMap<>();
        final Map<Long, Long> sums = new HashMap<>();
        for (final long id : ids) {
            final long key = Facts.key(id);
            sums.merge(key, Facts.value(id), Long::sum);
            expect(Row.of(Row.ID, id, key, 0));
            expect(Row.of(Row.COUNT, key, counts.merge(key, 1L, Long::sum), 0));
        }
        counts.forEach((key, count) -> expect(Row.of(Row.STATE, key, count, sums.get(key))));
    }

    private void timers(final List<Long> ids) {
        final TreeSet<Row> timers = new TreeSet<>();
        ids.forEach(id -> timers.add(Row.of(Row.TIMER, Facts.key(id), Facts.windowEndMs(id), 0)));
        timers.forEach(this::expect);
    }

    /** Every subtask sees every rule once. */
    private void rules(final List<Long> ids) {
        for (int subtask = 0; subtask < scenario.parallelism().get(2); subtask++) {
            ids.forEach(id -> expect(Row.of(Row.RULE, id, 0, 0)));
            for (int count = 1; count <= ids.size(); count++) {
                expect(Row.of(Row.RULE_COUNT, count, 0, 0));
            }
        }
    }

    /** A record is late by the watermark of its own partition before it, see docs/design/deterministic-lateness.md. */
    private void windows(final SimulatedInput log) {
        final TreeMap<Row, Long> sums = new TreeMap<>();
        for (int partition = 0; partition < log.partitionCount(); partition++) {
            long greatestNs = 0;
            for (int index = 0; index < log.length(partition); index++) {
                final long id = log.id(partition, index);
                final long watermarkNs = greatestNs - TimeUnit.MILLISECONDS.toNanos(Facts.BOUND_MS) - 1;
                final boolean isLate =
                        index > 0 && TimeUnit.MILLISECONDS.toNanos(Facts.windowEndMs(id)) - 1 <= watermarkNs;
                greatestNs = Math.max(greatestNs, Facts.timeNs(id));
                if (isLate) {
                    expect(Row.of(Row.LATE, id, 0, 0));
                } else {
                    sums.merge(Row.of(Row.WINDOW, Facts.key(id), Facts.windowEndMs(id), 0), Facts.value(id), Long::sum);
                }
            }
        }
        sums.forEach((window, sum) -> expect(Row.of(Row.WINDOW, window.a(), window.b(), sum)));
    }

    private String compare(final List<Row> written) {
        final TreeMap<Row, Integer> counted = new TreeMap<>();
        written.forEach(row -> parts(row).forEach(part -> counted.merge(part, 1, Integer::sum)));
        final TreeSet<Row> all = new TreeSet<>(expected.keySet());
        all.addAll(counted.keySet());
        for (final Row row : all) {
            final int times = counted.getOrDefault(row, 0);
            final int wanted = expected.getOrDefault(row, 0);
            if (times != wanted && !isSeenBySome(row, times)) {
                return "'" + row + "' was written " + times + " times, not " + wanted;
            }
        }
        return null;
    }

    /** A rule comes to each subtask, of which there are more or less after a change of parallelism. */
    private boolean isSeenBySome(final Row row, final int times) {
        return scenario.hasRescaling()
                && (row.kind() == Row.RULE || row.kind() == Row.RULE_COUNT)
                && expected.containsKey(row)
                && times >= 1
                && times <= Scenario.MAX_PARALLELISM;
    }

    /** At least once: all that is expected is there, sums and counts are no less, and every record is one of the input. */
    private String missing(final List<Row> written) {
        final TreeMap<Row, Integer> counted = new TreeMap<>();
        final TreeMap<Row, Row> greatest = new TreeMap<>();
        for (final Row row : written) {
            for (final Row part : parts(row)) {
                counted.merge(part, 1, Integer::sum);
                greatest.merge(place(part), part, (one, other) -> one.compareTo(other) < 0 ? other : one);
                if (part.kind() == Row.ID && !expected.containsKey(part)) {
                    return "'" + part + "' was written and is not in the input";
                }
            }
        }
        for (final Map.Entry<Row, Integer> one : expected.entrySet()) {
            final Row row = one.getKey();
            if (row.kind() == Row.STATE || row.kind() == Row.WINDOW) {
                final Row found = greatest.get(place(row));
                if (found == null || found.b() < row.b() || found.c() < row.c()) {
                    return "'" + row + "' is more than '" + found + "'";
                }
            } else if (counted.getOrDefault(row, 0) < one.getValue()
                    && !isSeenBySome(row, counted.getOrDefault(row, 0))) {
                return "'" + row + "' was written " + counted.getOrDefault(row, 0) + " times, not at least "
                        + one.getValue();
            }
        }
        return null;
    }

    /** What a row with a sum or count tells about. */
    private static Row place(final Row row) {
        return Row.of(row.kind(), row.a(), row.kind() == Row.WINDOW ? row.b() : 0, 0);
    }

    /** What of a row does not depend on the order of records from different channels. */
    private static List<Row> parts(final Row row) {
        return switch (row.kind()) {
            case Row.COUNTED -> List.of(Row.of(Row.ID, row.a(), row.b(), 0), Row.of(Row.COUNT, row.b(), row.c(), 0));
            case Row.RULE -> List.of(Row.of(Row.RULE, row.a(), 0, 0), Row.of(Row.RULE_COUNT, row.b(), 0, 0));
            case Row.NUMBERED -> List.of(Row.of(Row.ID, row.a(), 0, 0));
            default -> List.of(row);
        };
    }

    /** Each numbering has given each number once, and no subtask has begun another one. */
    private String numberings(final List<Row> written) {
        final TreeMap<Long, TreeSet<Long>> numbers = new TreeMap<>();
        for (final Row row : written) {
            if (row.kind() == Row.NUMBERED
                    && !numbers.computeIfAbsent(row.b(), label -> new TreeSet<>())
                            .add(row.c())) {
                return "'" + row + "': the number was given twice";
            }
        }
        if (!numbers.isEmpty()
                && !scenario.hasRescaling()
                && numbers.size() > scenario.parallelism().get(1)) {
            return numbers.size() + " numberings " + numbers.keySet() + " were begun by "
                    + scenario.parallelism().get(1) + " subtasks";
        }
        for (final Map.Entry<Long, TreeSet<Long>> one : numbers.entrySet()) {
            if (one.getValue().last() != one.getValue().size()) {
                return "numbering " + one.getKey() + " has " + one.getValue().size() + " numbers up to "
                        + one.getValue().last();
            }
        }
        return null;
    }
}
