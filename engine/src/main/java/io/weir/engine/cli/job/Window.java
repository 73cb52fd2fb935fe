package io.weir.engine.cli.job;

import java.util.List;

/** The result of one window of one key. */
public sealed interface Window permits OhlcWindow, StatsWindow {
    /**
     * The source.
     *
     * @return its name.
     */
    String source();

    /**
     * The key.
     *
     * @return unique together with the source.
     */
    String key();

    /**
     * The start of the window.
     *
     * @return event time in nanoseconds, inclusive.
     */
    long startNs();

    /**
     * The end of the window.
     *
     * @return event time in nanoseconds, exclusive.
     */
    long endNs();

    /**
     * The number of records in the window.
     *
     * @return at least 1.
     */
    long count();

    /**
     * The window as row of a table.
     *
     * @return fields in the order of the job's columns; decimals exact.
     */
    List<String> fields();
}
