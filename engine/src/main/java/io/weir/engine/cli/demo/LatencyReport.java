package io.weir.engine.cli.demo;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * From the time at which the record that closes a window was due in the feed to the time at which the window was visible. Due,
 * not appended: a late append counts, so that nothing is omitted in coordination.
 *
 * @param all every window that a record of the feed closed.
 * @param undisturbed those that met no outage.
 * @param closedByEnd windows that the end of the feed closed; they are in neither.
 */
record LatencyReport(Histogram all, Histogram undisturbed, int closedByEnd) {
    private static final long MAX_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    static LatencyReport of(
            final Feed feed, final long latenessNs, final List<WindowTail.Sighting> sightings, final Outages outages) {
        final Histogram all = new Histogram(MAX_NS, DIGITS);
        final Histogram undisturbed = new Histogram(MAX_NS, DIGITS);
        int closedByEnd = 0;
        for (final WindowTail.Sighting sighting : sightings) {
            final int closing = feed.closingIndex(sighting.windowEndNs(), latenessNs);
            if (closing == Feed.NONE) {
                closedByEnd++;
                continue;
            }
            final long dueNs = feed.dueNs(closing);
            final long latencyNs = Math.min(MAX_NS, Math.max(0, sighting.seenNs() - dueNs));
            all.recordValue(latencyNs);
            if (!outages.touch(dueNs, sighting.seenNs())) {
                undisturbed.recordValue(latencyNs);
            }
        }
        return new LatencyReport(all, undisturbed, closedByEnd);
    }
}
