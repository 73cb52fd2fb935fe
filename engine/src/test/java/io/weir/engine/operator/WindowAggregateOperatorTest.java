package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.LongCell;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.OperatorHarness;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowAggregateOperatorTest {
    private static final long NONE = Long.MIN_VALUE;

    record Bid(String key, long value) {}

    record Total(String key, long start, long end, long sum) {}

    static final class Sum implements AggregateFunction<Bid, LongCell, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public LongCell create() {
            return new LongCell();
        }

        @Override
        public LongCell add(final LongCell sum, final Bid bid) {
            return sum.add(bid.value());
        }

        @Override
        public Long result(final LongCell sum, final TimeWindow window) {
            return sum.get();
        }
    }

    static Operator<Bid> window(final Tumbling windows) {
        return new WindowAggregateOperator<String, Bid, LongCell, Long>(
                KeyExtractors.byObject(Bid::key, Codecs.strings()),
                windows,
                new Sum(),
                Codecs.longCell(),
                (key, window, sum) -> new Total(key, window.startNs(), window.endNs(), sum),
                OutputTag.of("late", Codec.ofRecord(Bid.class)));
    }

    private final OperatorHarness<Bid> harness = new OperatorHarness<>(() -> window(new Tumbling(10, 0)));

    @Test
    void shouldEmitAWindowWhenTheWatermarkReachesItsLastInstant() throws Exception {
        try (harness) {
            harness.open();
            bid("a", 1, 0);
            bid("a", 2, 9);
            bid("a", 4, 10);

            harness.watermark(8);
            assertEquals(List.of(), harness.output().records());
            harness.watermark(9);

            assertEquals(
                    List.of(new Emission(new Total("a", 0, 10, 3), 9, NONE)),
                    harness.output().records());
            assertEquals(List.of(8L, 9L), harness.output().watermarks());
            harness.watermark(Long.MAX_VALUE);
            assertEquals(
                    new Emission(new Total("a", 10, 20, 4), 19, NONE),
                    harness.output().records().get(1));
            assertEquals(0, harness.entryCount());
        }
    }

    @Test
    void shouldEmitWindowsInOrderOfTimeThenKey() throws Exception {
        try (harness) {
            harness.open();
            for (final String key : List.of("c", "a", "b")) {
                bid(key, 1, 15);
                bid(key, 1, 5);
            }

            harness.watermark(Long.MAX_VALUE);

            assertEquals(
                    List.of("a0", "b0", "c0", "a10", "b10", "c10"),
                    harness.output().records().stream()
                            .map(record -> (Total) record.value())
                            .map(total -> total.key() + total.start())
                            .toList());
        }
    }

    @Test
    void shouldSendARecordToTheLateOutputByItsOwnPartitionsWatermarkOnly() throws Exception {
        try (harness) {
            harness.open();
            harness.receive(new Bid("a", 1), 5, 9);
            harness.receive(new Bid("a", 2), 5, 8);
            harness.receive(new Bid("a", 4), 5, NONE);

            harness.watermark(100);

            assertEquals(List.of(new Total("a", 0, 10, 6)), harness.output().values());
            assertEquals(
                    List.of(new Emission(new Bid("a", 1), 5, 9)),
                    harness.sideOutput("late").records());
            assertEquals(1, harness.count("late"));
            assertEquals(0, harness.count("lateBehindTask"));
        }
    }

    @Test
    void shouldCountApartWhatIsBehindTheTasksWatermark() throws Exception {
        try (harness) {
            harness.open();
            harness.watermark(9);

            bid("a", 1, 5);

            assertEquals(1, harness.count("late"));
            assertEquals(1, harness.count("lateBehindTask"));
            assertEquals(List.of(new Bid("a", 1)), harness.sideOutput("late").values());
        }
    }

    @Test
    void shouldStopBetweenWindowsWhileTheOutputIsBlockedAndGoOnInOrder() throws Exception {
        try (harness) {
            harness.slots(1).open();
            for (int i = 0; i < 5; i++) {
                bid("k" + i, i, 5);
            }

            harness.operator().watermark(9);

            assertEquals(1, harness.output().records().size());
            assertEquals(List.of(), harness.output().watermarks());
            harness.watermark(9);
            assertEquals(5, harness.output().records().size());
            assertEquals(List.of(9L), harness.output().watermarks());
        }
    }

    @Test
    void shouldEmitTheRestOfTheWindowsAfterARestoreInTheMiddle() throws Exception {
        try (harness) {
            harness.slots(1).restoringAlways().open();
            for (int i = 0; i < 5; i++) {
                bid("k" + i, i, 5);
            }

            harness.watermark(9);

            assertEquals(
                    List.of(0L, 1L, 2L, 3L, 4L),
                    harness.output().records().stream()
                            .map(record -> ((Total) record.value()).sum())
                            .toList());
            assertEquals(9, harness.output().watermark());
        }
    }

    @Test
    void shouldRefuseARecordWithoutEventTime() throws Exception {
        try (harness) {
            harness.open();

            final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> bid("a", 1, NONE));
            assertTrue(e.getMessage().contains("call eventTime"), e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> bid("a", 1, Long.MAX_VALUE - 1));
            assertThrows(IllegalArgumentException.class, () -> bid("a", 1, Long.MIN_VALUE + 1));
        }
    }

    @Test
    void shouldPassIdleness() throws Exception {
        try (harness) {
            harness.open();

            harness.idle();

            assertEquals(1, harness.output().idles());
        }
    }

    private void bid(final String key, final long value, final long time) throws Exception {
        harness.receive(new Bid(key, value), time, NONE);
    }
}
