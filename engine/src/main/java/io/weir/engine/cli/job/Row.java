package io.weir.engine.cli.job;

/** One record of an input file: what every kind of record has. */
public sealed interface Row permits Tick, Metric {
    /**
     * The physical stream the record came in: one source has one watermark.
     *
     * @return its name.
     */
    String source();

    /**
     * The place of the record's message in its source.
     *
     * @return a 0-based index.
     */
    long arrival();

    /**
     * The place of the record in its message.
     *
     * @return a 0-based index.
     */
    long sub();

    /**
     * The partitioning key.
     *
     * @return unique together with the source only.
     */
    String key();

    /**
     * Event time.
     *
     * @return nanoseconds.
     */
    long eventNs();

    /**
     * What tells the record from others: repeats have the same.
     *
     * @return empty if the input has no such column or none was asked for.
     */
    String id();
}
