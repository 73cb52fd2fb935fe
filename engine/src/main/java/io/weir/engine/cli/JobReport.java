package io.weir.engine.cli;

import io.weir.engine.cli.text.Counts;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import java.util.Map;
import java.util.function.Consumer;

/** Tells people how a job goes. */
final class JobReport {
    private final Consumer<String> say;
    private boolean isStartTold;
    private long restartsTold;
    private String causeTold = "";

    JobReport(final Consumer<String> say) {
        this.say = say;
    }

    /** Says where the job began, and why it had to begin again: each reason once. */
    void watch(final JobStatus status) {
        if (status.restartCount() > restartsTold) {
            restartsTold = status.restartCount();
            final String cause =
                    status.restarts().get(status.restarts().size() - 1).cause();
            if (!cause.equals(causeTold)) {
                causeTold = cause;
                say.accept("begins again after a failure: " + cause);
            }
        }
        if (!isStartTold && status.state() == JobState.RUNNING) {
            isStartTold = true;
            if (status.restoredCheckpointId() > 0) {
                say.accept("goes on from checkpoint " + status.restoredCheckpointId());
            }
        }
    }

    /** Says which records were skipped. */
    void skipped(final JobStatus status) {
        final int places = status.firstSkipped().size();
        if (status.skippedRecords() > 0) {
            final String which = places == 0
                    ? ", all of them before checkpoint " + status.restoredCheckpointId()
                    : places == status.skippedRecords() ? ":" : ", the first of this run:";
            say.accept("skipped " + Counts.print(status.skippedRecords(), "bad record") + " in the whole job" + which);
            status.firstSkipped().forEach(place -> say.accept("  " + place));
        }
    }

    /** The figures of the last attempt in one line: what earlier ones have done is known by its output only. */
    static String summary(final JobStatus status) {
        return Counts.print(records(status), "record") + " read"
                + (status.restoredCheckpointId() > 0 ? " since checkpoint " + status.restoredCheckpointId() : "") + ", "
                + Counts.print(counter(status, "windows/late"), "late one")
                + (status.skippedRecords() > 0
                        ? "; " + Counts.print(status.skippedRecords(), "bad record") + " skipped in the whole job"
                        : "");
    }

    /** Records that the sources of the attempt have read, without those that they skipped. */
    static long records(final JobStatus status) {
        return counter(status, "rows/records");
    }

    static long counter(final JobStatus status, final String name) {
        final Map<String, Long> counters = status.counters();
        return counters.getOrDefault(name, 0L);
    }
}
