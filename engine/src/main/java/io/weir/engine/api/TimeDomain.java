package io.weir.engine.api;

/** Which clock a timer follows. */
public enum TimeDomain {
    /** The watermark: how far the data has come. */
    EVENT_TIME,
    /** The clock of the machine. */
    PROCESSING_TIME
}
