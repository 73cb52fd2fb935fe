package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.cli.job.Tick;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyReportTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Record i is due i seconds after the start and closes the window that ends at i. */
    private final Feed feed = new Feed(
            LongStream.range(0, 20)
                    .mapToObj(i -> new Tick("s", i, 0, "k", i, "", BigDecimal.ONE, BigDecimal.ONE))
                    .toList(),
            1);

    @Test
    void shouldMeasureFromWhenTheClosingRecordWasDue() {
        final LatencyReport report =
                LatencyReport.of(feed, 0, List.of(new WindowTail.Sighting(7, 8 * SECOND_NS)), new Outages());

        assertEquals(1, report.all().getTotalCount());
        assertEquals(1.0, report.all().getMaxValue() / (double) SECOND_NS, 0.01);
        assertEquals(1, report.undisturbed().getTotalCount());
    }

    @Test
    void shouldCountWindowsThatOnlyTheEndClosedApart() {
        final LatencyReport report =
                LatencyReport.of(feed, 5, List.of(new WindowTail.Sighting(17, 99 * SECOND_NS)), new Outages());

        assertEquals(0, report.all().getTotalCount());
        assertEquals(1, report.closedByEnd());
    }

    @Test
    void shouldTellWindowsThatMetAnOutageFromOthers() {
        final Outages outages = new Outages();
        outages.killed(5 * SECOND_NS);
        outages.firstRecord(7 * SECOND_NS);

        final LatencyReport report = LatencyReport.of(
                feed,
                0,
                List.of(
                        new WindowTail.Sighting(3, 4 * SECOND_NS),
                        new WindowTail.Sighting(4, 6 * SECOND_NS),
                        new WindowTail.Sighting(6, 7 * SECOND_NS),
                        new WindowTail.Sighting(8, 9 * SECOND_NS),
                        new WindowTail.Sighting(9, 10 * SECOND_NS)),
                outages);

        assertEquals(5, report.all().getTotalCount());
        assertEquals(2, report.undisturbed().getTotalCount());
        assertEquals(2 * SECOND_NS, outages.ended().get(0).lengthNs());
    }
}
