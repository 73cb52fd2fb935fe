package io.weir.benchmarks.transport;

/** A way from a sending thread to a receiving one. Each side yields when it stalls. */
interface Lane extends AutoCloseable {
    /** Bytes of a record's value. */
    int VALUE_LENGTH = 64;

    String name();

    int batchSize();

    /** Sending thread: sends one batch, or nothing; gives the number of records sent. */
    int send();

    /** Receiving thread: takes what there is, up to some limit; gives the number of records taken. */
    int receive();

    /** Either thread, when it stalls. */
    void pump();

    /** What the receiver has read out of the values, so that the reading can't be optimised away. */
    long checksum();

    @Override
    void close();
}
