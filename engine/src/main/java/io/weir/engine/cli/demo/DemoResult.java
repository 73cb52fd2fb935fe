package io.weir.engine.cli.demo;

import io.weir.engine.cli.text.Counts;
import io.weir.engine.cli.text.Durations;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** What came of a demo. */
public final class DemoResult {
    private final DemoPlan plan;
    private final int records;
    private final String machine;
    private final Lives lives;
    private final Outages outages;
    private final CheckpointTotals checkpoints;
    private final LatencyReport latency;
    private final List<Replay> replays;
    private final Comparison windows;
    private final Comparison lateRows;

    DemoResult(
            final DemoPlan plan,
            final int records,
            final String machine,
            final Lives lives,
            final Outages outages,
            final CheckpointTotals checkpoints,
            final LatencyReport latency,
            final List<Replay> replays,
            final Comparison windows,
            final Comparison lateRows) {
        this.plan = plan;
        this.records = records;
        this.machine = machine;
        this.lives = lives;
        this.outages = outages;
        this.checkpoints = checkpoints;
        this.latency = latency;
        this.replays = replays;
        this.windows = windows;
        this.lateRows = lateRows;
    }

    /**
     * One reading of the whole feed at full speed.
     *
     * @param records of the feed.
     * @param tookNs from the start of the tasks until all output was committed.
     */
    record Replay(long records, long tookNs) {
        static Replay parse(final String text) {
            final String[] fields = text.split(" ");
            return new Replay(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        }

        long perSecond() {
            return records * TimeUnit.SECONDS.toNanos(1) / Math.max(1, tookNs);
        }
    }

    /**
     * The verdict.
     *
     * @return whether everything is as expected.
     */
    public boolean isRight() {
        return windows.isEqual() && lateRows.isEqual() && lives.faults().isEmpty();
    }

    /**
     * Prints the final table.
     *
     * @param out to print to.
     */
    public void print(final PrintWriter out) {
        final double seconds = records / plan.recordsPerSecond();
        row(out, "machine", machine);
        row(out, "java", Machine.here().java());
        row(out, "job's flags", String.join(" ", plan.child().flags()));
        row(out, "records", format("%,d", records));
        row(out, "paced", format("%,.0f records/s for %.1f s, open loop", plan.recordsPerSecond(), seconds));
        if (!replays.isEmpty()) {
            row(
                    out,
                    "full speed",
                    replays.stream()
                                    .map(replay -> format("%,d", replay.perSecond()))
                                    .collect(Collectors.joining(", "))
                            + " records/s, one run after the other in one process, each until all is committed");
        }
        row(out, "latency", percentiles(latency.all()) + ", kills included");
        row(out, "", percentiles(latency.undisturbed()) + ", apart from kills");
        row(out, "", "from when the record that closes a window was due until the window was visible");
        row(
                out,
                "checkpoints",
                format(
                        "%,d completed, one is triggered every %s; %,d bytes in all",
                        checkpoints.count(),
                        Durations.print(plan.checkpointInterval().toNanos()),
                        checkpoints.bytes()));
        row(out, "", percentiles(checkpoints.durationNs()) + ", from the trigger until stored");
        restarts(out);
        compared(out, windows);
        compared(out, lateRows);
        row(out, "verdict", isRight() ? "exactly right" : "WRONG");
        out.flush();
    }

    private void restarts(final PrintWriter out) {
        final String kills = Counts.print(lives.resumedFrom().size(), "kill") + " (seed " + plan.seed() + ")";
        if (lives.resumedFrom().isEmpty()) {
            row(out, "restarts", kills);
            return;
        }
        row(out, "restarts", kills + ", each of a job at work that had completed a new checkpoint");
        row(
                out,
                "",
                "gone on from checkpoint "
                        + lives.resumedFrom().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        lives.faults().forEach(fault -> row(out, "", fault));
        row(
                out,
                "",
                "from the kill to the first record: "
                        + outages.ended().stream()
                                .map(outage -> Durations.print(outage.lengthNs()))
                                .collect(Collectors.joining(", ")));
    }

    private static void compared(final PrintWriter out, final Comparison comparison) {
        row(
                out,
                comparison.what(),
                format("%,d expected, ", comparison.expected())
                        + (comparison.isEqual() ? "all equal" : differ(comparison.differenceCount())));
        comparison.differences().forEach(difference -> row(out, "", difference));
    }

    private static String differ(final int count) {
        return count + (count == 1 ? " differs" : " differ");
    }

    private static String percentiles(final Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return "none";
        }
        return "p50 " + Durations.print(histogram.getValueAtPercentile(50)) + ", p90 "
                + Durations.print(histogram.getValueAtPercentile(90)) + ", p99 "
                + Durations.print(histogram.getValueAtPercentile(99)) + ", max "
                + Durations.print(histogram.getMaxValue()) + format(" (%,d)", histogram.getTotalCount());
    }

    private static void row(final PrintWriter out, final String name, final String value) {
        out.println(format("%-12s ", name) + value);
    }

    private static String format(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
