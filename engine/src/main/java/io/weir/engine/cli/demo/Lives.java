package io.weir.engine.cli.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The lives of the job, one process after the other: what each began with, and when it may be killed. A life is killed only
 * once it has read a record and completed a checkpoint of its own, so that each kill meets a job at work and each next life
 * has something new to go on from.
 */
final class Lives {
    private final List<Long> restoredIds = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long newestId;
    private boolean isRunning;
    private boolean hasRead;
    private boolean hasCompleted;

    /** A process was started. */
    void started() {
        isRunning = false;
        hasRead = false;
        hasCompleted = false;
    }

    /** Its job runs, from a checkpoint or from nothing, 0. */
    void running(final long restoredId) {
        isRunning = true;
        if (restoredId < newestId) {
            faults.add("life " + (restoredIds.size() + 1) + " began with checkpoint " + restoredId + ", but checkpoint "
                    + newestId + " had completed before");
        }
        restoredIds.add(restoredId);
    }

    void firstRecord() {
        hasRead = true;
    }

    /** It completed a checkpoint. */
    void completed(final long id) {
        hasCompleted = true;
        newestId = Math.max(newestId, id);
    }

    boolean isRunning() {
        return isRunning;
    }

    boolean mayBeKilled() {
        return isRunning && hasRead && hasCompleted;
    }

    /** What the lives after the first began with. */
    List<Long> resumedFrom() {
        return restoredIds.subList(Math.min(1, restoredIds.size()), restoredIds.size());
    }

    /** Lives that began with less than had been completed; empty if all is right. */
    List<String> faults() {
        return List.copyOf(faults);
    }
}
