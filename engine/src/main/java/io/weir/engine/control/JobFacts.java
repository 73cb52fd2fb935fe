package io.weir.engine.control;

import io.weir.engine.status.CheckpointStatus;
import io.weir.engine.status.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A job's status as facts. */
final class JobFacts {
    private final List<JobFact> facts = new ArrayList<>();

    private JobFacts() {}

    static List<JobFact> of(final JobStatus status) {
        final JobFacts facts = new JobFacts();
        facts.addAll(status);
        return facts.facts;
    }

    private void addAll(final JobStatus status) {
        add("job", status.jobName());
        add("state", status.state());
        add("attempt", status.attempt());
        add("restored-checkpoint", status.restoredCheckpointId());
        add("restarts", status.restartCount());
        status.restarts()
                .forEach(restart -> add(
                        "restart",
                        "attempt=" + restart.attempt() + " restored-checkpoint=" + restart.restoredCheckpointId()
                                + " downtime-ms=" + TimeUnit.NANOSECONDS.toMillis(restart.downtimeNs()) + " cause="
                                + restart.cause()));
        final CheckpointStatus checkpoints = status.checkpoints();
        add("checkpoints-completed", checkpoints.completed());
        add("checkpoints-failed", checkpoints.aborted());
        if (checkpoints.lastAbortReason() != null) {
            add("checkpoint-failed-last", checkpoints.lastAbortReason());
        }
        add("checkpoint-last", checkpoints.lastCompletedId());
        add("checkpoint-last-bytes", checkpoints.lastBytes());
        add("skipped-records", status.skippedRecords());
        status.counters().forEach((name, count) -> add("counter", name + "=" + count));
    }

    private void add(final String name, final Object value) {
        facts.add(new JobFact(name, String.valueOf(value)));
    }
}
