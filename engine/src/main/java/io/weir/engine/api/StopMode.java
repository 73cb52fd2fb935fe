package io.weir.engine.api;

/** What a job that stops does with its input. */
public enum StopMode {
    /** The input is left where it is: the same job, or a changed one, goes on from there. */
    SUSPEND,

    /**
     * The input ends where it is, as if there were no more: windows close, timers of event time fire, everything is flushed. Nothing
     * is left to go on from: for jobs that end for good.
     */
    DRAIN
}
