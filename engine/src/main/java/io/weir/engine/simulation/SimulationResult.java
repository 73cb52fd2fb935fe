package io.weir.engine.simulation;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of one simulated run.
 *
 * @param seed of the run, which replays it exactly.
 * @param scenario that the seed has drawn, for people.
 * @param faults what went wrong on purpose, each with its step.
 * @param failure what the job did wrong, or null.
 * @param cause the error behind the failure, or null.
 * @param digest of all steps: another run of the seed has the same.
 * @param counts by {@link Event}.
 */
public record SimulationResult(
        long seed,
        String scenario,
        List<String> faults,
        String failure,
        Throwable cause,
        long digest,
        Map<Event, Long> counts) {
    /** Copies what could be changed. */
    public SimulationResult {
        faults = List.copyOf(faults);
        counts = Map.copyOf(counts);
    }

    /**
     * Whether the job did as it should.
     *
     * @return false if there is a failure.
     */
    public boolean isRight() {
        return failure == null;
    }

    /**
     * How often something happened in the run.
     *
     * @param event to count.
     * @return its count.
     */
    public long count(final Event event) {
        return counts.getOrDefault(event, 0L);
    }

    /**
     * The failure with all that is needed to find its cause.
     *
     * @return some lines.
     */
    public String describe() {
        final StringBuilder text = new StringBuilder("seed " + seed + ": " + failure + "\n  job: " + scenario);
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.append("\n  again: ./weir simulate --seed ")
                .append(seed)
                .append(" --trace")
                .toString();
    }

    /** What is counted, so that runs are known to have met it. */
    public enum Event {
        /** Steps of the scheduler. */
        STEPS,
        /** Checkpoints that completed. */
        CHECKPOINTS,
        /** Checkpoints that were given up. */
        ABORTS,
        /** Attempts that began from a checkpoint. */
        RESTORES,
        /** Functions that failed. */
        TASK_FAILURES,
        /** Processes that were killed. */
        KILLS,
        /** Machines that died. */
        CRASHES,
        /** Writes that were not forced and got lost. */
        LOST_WRITES,
        /** Operations of the disk that failed. */
        DISK_FAILURES,
        /** Batches that found no room. */
        BLOCKED_OFFERS,
        /** Times that frames of a link were held back. */
        DELAYS,
        /** Jobs that were stopped behind a last checkpoint or a savepoint. */
        STOPS,
        /** Savepoints that were complete. */
        SAVEPOINTS,
        /** Jobs that went on in another place, from a savepoint. */
        MOVES,
        /** Processes that went on with another parallelism. */
        RESCALES;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
