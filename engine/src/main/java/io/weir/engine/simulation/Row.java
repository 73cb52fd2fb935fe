package io.weir.engine.simulation;

import java.util.Comparator;

/**
 * One record that a simulated job writes.
 *
 * @param kind one of the constants, which say what the numbers are.
 * @param a first number.
 * @param b second number.
 * @param c third number.
 */
record Row(int kind, long a, long b, long c) implements Comparable<Row> {
    /** A record by key: id, key, how many of the key there were with it. */
    static final int COUNTED = 1;

    /** An event-time timer: key, end of its window in milliseconds. */
    static final int TIMER = 2;

    /** The state of a key after all data: key, count, sum of the values. */
    static final int STATE = 3;

    /** A record that a subtask numbered: id, label of the numbering, number. */
    static final int NUMBERED = 4;

    /** A window: key, end in milliseconds, sum of the values. */
    static final int WINDOW = 5;

    /** A record that came too late for its window: id. */
    static final int LATE = 6;

    /** A broadcast record at one subtask: its id, how many there were with it. */
    static final int RULE = 7;

    /** A record that passed beside broadcast state: id. */
    static final int PASSED = 8;

    /** A part of a {@link #COUNTED} row that does not depend on the order: id. */
    static final int ID = 9;

    /** A part of a {@link #COUNTED} row that does not depend on the order: key, count. */
    static final int COUNT = 10;

    /** A part of a {@link #RULE} row that does not depend on the order: count. */
    static final int RULE_COUNT = 11;

    private static final String[] NAMES = {
        "", "counted", "timer", "state", "numbered", "window", "late", "rule", "passed", "record", "count", "rule count"
    };
    private static final Comparator<Row> ORDER = Comparator.comparingInt(Row::kind)
            .thenComparingLong(Row::a)
            .thenComparingLong(Row::b)
            .thenComparingLong(Row::c);

    static Row of(final int kind, final long a, final long b, final long c) {
        return new Row(kind, a, b, c);
    }

    @Override
    public int compareTo(final Row other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return NAMES[kind] + ' ' + a + ' ' + b + ' ' + c;
    }
}
