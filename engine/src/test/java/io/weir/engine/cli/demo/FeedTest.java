package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.cli.job.Tick;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FeedTest {
    @Test
    void shouldBeDueAtAFixedRate() {
        final Feed feed = feed(1, 2, 3);

        assertEquals(0, feed.dueNs(0));
        assertEquals(250_000_000, feed.dueNs(1));
        assertEquals(500_000_000, feed.dueNs(2));
    }

    @Test
    void shouldCloseAWindowWithTheFirstRecordThatIsLatenessBehindItsEnd() {
        final Feed feed = feed(10, 64, 30, 65, 65, 70);

        assertEquals(3, feed.closingIndex(60, 5));
        assertEquals(0, feed.closingIndex(5, 5));
        assertEquals(5, feed.closingIndex(61, 5));
        assertEquals(Feed.NONE, feed.closingIndex(66, 5));
    }

    @Test
    void shouldFindTheSameRecordAsALookAtEachInTurn() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            final long[] eventNs = random.longs(1 + random.nextInt(20), 0, 30).toArray();
            final long windowEndNs = random.nextInt(35);

            int expected = Feed.NONE;
            for (int i = eventNs.length - 1; i >= 0; i--) {
                expected = eventNs[i] >= windowEndNs + 3 ? i : expected;
            }
            assertEquals(expected, feed(eventNs).closingIndex(windowEndNs, 3), () -> "seed " + seed);
        }
    }

    private static Feed feed(final long... eventNs) {
        final List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < eventNs.length; i++) {
            ticks.add(new Tick("s", i, 0, "k", eventNs[i], "", BigDecimal.ONE, BigDecimal.ONE));
        }
        return new Feed(ticks, 4);
    }
}
