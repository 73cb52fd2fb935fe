package io.weir.engine.task;

import java.util.List;

/** Where a task's records come from: channels of other tasks, or a log. Task thread only. */
interface TaskInput {
    /** Opens what is to be read and hands on what was restored, before the first {@link #poll}. */
    void open() throws Exception;

    /** Reads the priority lane. */
    int pollControl(long nowNs);

    /** Processes records and events until the limit is met, nothing is left or the outputs block. */
    int poll(long nowNs, int limit) throws Exception;

    /** Whether all data has ended and the last watermark was handed on. */
    boolean isEnded();

    /** Ends a source as if its data had; nothing to an input that others feed. */
    default void end() {
        // What others feed ends when they do.
    }

    /** Whether the task was restored as finished, and so reads nothing. */
    boolean isRestoredFinished();

    long watermarkNs();

    /** The last moment to put positions into keyed state. */
    void beforeFreeze();

    /** The uids of the task's operators, the source's first. */
    List<String> uids(Chain chain);

    void close();
}
