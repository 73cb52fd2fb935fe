package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Tumbling;
import io.weir.engine.harness.Emission;
import io.weir.engine.harness.HarnessPartitions;
import io.weir.engine.harness.OperatorHarness;
import io.weir.engine.operator.WindowAggregateOperatorTest.Bid;
import io.weir.engine.operator.WindowAggregateOperatorTest.Total;
import io.weir.engine.time.WatermarkMerger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Event time and windows against a plain model: several sources of several partitions, records out of order and late, channels
 * of any delay, restores at any step. What is late, and every result, is the same whatever the interleaving.
 */
final class WindowModelTest {
    private static final long SEED = System.nanoTime();
    private static final long NONE = Long.MIN_VALUE;

    @Test
    void shouldAgreeWithAPlainModelWhateverTheInterleaving() throws Exception {
        final Random random = new Random(SEED);
        for (int run = 0; run < 60; run++) {
            final Scenario scenario = new Scenario(random.nextLong());
            for (int interleaving = 0; interleaving < 4; interleaving++) {
                scenario.check(random.nextLong());
            }
        }
    }

    record Timed(String key, long value, long time) {}

    private static final class Scenario {
        private final long seed;
        private final Tumbling windows;
        private final long bound;
        private final List<List<Timed>> partitions = new ArrayList<>();
        private final Map<String, Long> sums = new TreeMap<>();
        private final List<String> late = new ArrayList<>();

        Scenario(final long seed) {
            this.seed = seed;
            final Random random = new Random(seed);
            final int size = 1 + random.nextInt(20);
            windows = new Tumbling(size, random.nextInt(size));
            bound = random.nextInt(15);
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                partitions.add(records(random));
            }
            partitions.forEach(this::expect);
        }

        private static List<Timed> records(final Random random) {
            final List<Timed> records = new ArrayList<>();
            long time = random.nextInt(50) - 25L;
            for (int i = random.nextInt(60); i > 0; i--) {
                time += random.nextInt(6);
                final long jitter = random.nextInt(8) == 0 ? random.nextInt(40) : random.nextInt(5);
                records.add(new Timed("k" + random.nextInt(4), random.nextInt(100), time - jitter));
            }
            return records;
        }

        /** The model: the words of the definition. */
        private void expect(final List<Timed> records) {
            long greatest = NONE;
            for (final Timed record : records) {
                long start = windows.offsetNs() - 1_000 * windows.sizeNs();
                while (start + windows.sizeNs() <= record.time) {
                    start += windows.sizeNs();
                }
                if (greatest != NONE && start + windows.sizeNs() + bound <= greatest) {
                    late.add(record.key + ":" + record.value);
                } else {
                    sums.merge(record.key + "@" + start, record.value, Long::sum);
                }
                greatest = Math.max(greatest, record.time);
            }
            late.sort(Comparator.naturalOrder());
        }

        void check(final long interleaving) throws Exception {
            final Random random = new Random(interleaving);
            final Supplying message = () -> "seed=" + SEED + " scenario=" + seed + " interleaving=" + interleaving;
            final Run run = new Run(this, random);
            run.toTheEnd();

            final Map<String, Long> actual = new TreeMap<>();
            long last = NONE;
            for (final Emission emission : run.window.output().records()) {
                final Total total = (Total) emission.value();
                assertEquals(total.end() - 1, emission.timestampNs(), message::get);
                assertTrue(emission.timestampNs() >= last, message::get);
                last = emission.timestampNs();
                assertEquals(null, actual.put(total.key() + "@" + total.start(), total.sum()), message::get);
            }
            assertEquals(sums, actual, message::get);
            assertEquals(
                    late,
                    run.window.sideOutput("late").values().stream()
                            .map(value -> ((Bid) value).key() + ":" + ((Bid) value).value())
                            .sorted()
                            .toList(),
                    message::get);
            assertEquals(late.size(), run.window.count("late"), message::get);
            assertEquals(0, run.window.count("lateBehindTask"), message::get);
            assertEquals(0, run.window.entryCount(), message::get);
            run.close();
        }
    }

    private interface Supplying {
        String get();
    }

    /** Several sources with channels of their own to one window task. */
    private static final class Run {
        private final Random random;
        private final List<Source> sources = new ArrayList<>();
        private final WatermarkMerger merger;
        private final OperatorHarness<Bid> window;
        private long nowNs;

        Run(final Scenario scenario, final Random random) throws Exception {
            this.random = random;
            final int count = 1 + random.nextInt(scenario.partitions.size());
            for (int i = 0; i < count; i++) {
                sources.add(new Source(scenario, i, count));
            }
            merger = new WatermarkMerger(count);
            window = new OperatorHarness<>(() -> WindowAggregateOperatorTest.window(scenario.windows));
            if (random.nextBoolean()) {
                window.slots(1 + random.nextInt(2));
            }
            if (random.nextInt(4) == 0) {
                window.restoringAlways();
            }
            window.open();
        }

        void toTheEnd() throws Exception {
            while (merger.watermarkNs() < Long.MAX_VALUE) {
                final int channel = random.nextInt(sources.size());
                final Source source = sources.get(channel);
                if (random.nextBoolean()) {
                    source.step(random, ++nowNs);
                } else if (!source.channel.isEmpty()) {
                    deliver(channel, source.channel.poll());
                }
                if (random.nextInt(50) == 0) {
                    window.restore();
                }
            }
        }

        private void deliver(final int channel, final Object frame) throws Exception {
            if (frame instanceof Emission record) {
                final Timed timed = (Timed) record.value();
                window.receive(new Bid(timed.key(), timed.value()), record.timestampNs(), record.sourceWatermarkNs());
            } else if ((Long) frame == Long.MAX_VALUE
                    ? merger.onEnd(channel)
                    : merger.onWatermark(channel, (Long) frame)) {
                window.watermark(merger.watermarkNs());
            }
        }

        void close() {
            sources.forEach(source -> source.harness.close());
            window.close();
        }
    }

    /** One source task: partitions with index i, i + count, ... */
    private static final class Source {
        private final List<ArrayDeque<Timed>> inputs = new ArrayList<>();
        private final HarnessPartitions partitions;
        private final OperatorHarness<Timed> harness;
        private final Queue<Object> channel = new ArrayDeque<>();
        private int records;
        private int watermarks;
        private boolean ended;

        Source(final Scenario scenario, final int index, final int count) throws Exception {
            final List<Integer> indices = new ArrayList<>();
            for (int i = index; i < scenario.partitions.size(); i += count) {
                indices.add(i);
                inputs.add(new ArrayDeque<>(scenario.partitions.get(i)));
            }
            partitions = new HarnessPartitions(
                    indices.stream().mapToInt(Integer::intValue).toArray());
            harness = new OperatorHarness<Timed>(
                            () -> new EventTimeOperator<>(Timed::time, TimeUnit.NANOSECONDS, scenario.bound, 0))
                    .partitions(partitions)
                    .open();
        }

        void step(final Random random, final long nowNs) throws Exception {
            if (ended) {
                return;
            }
            for (int i = random.nextInt(5); i > 0; i--) {
                final int ordinal = random.nextInt(inputs.size());
                if (!inputs.get(ordinal).isEmpty()) {
                    partitions.current(ordinal);
                    harness.receive(inputs.get(ordinal).poll(), NONE, NONE);
                }
            }
            boolean all = true;
            for (int i = 0; i < inputs.size(); i++) {
                if (inputs.get(i).isEmpty() && random.nextBoolean()) {
                    partitions.end(i);
                }
                all &= partitions.ended(i);
            }
            harness.batchEnd(nowNs);
            if (random.nextInt(20) == 0) {
                harness.restore();
                harness.processingTime(nowNs);
            }
            send();
            if (all) {
                ended = true;
                channel.add(Long.MAX_VALUE);
            }
        }

        /** Records of a batch go before the watermark that was made of them. */
        private void send() {
            final List<Emission> emitted = harness.output().records();
            channel.addAll(emitted.subList(records, emitted.size()));
            records = emitted.size();
            final List<Long> marks = harness.output().watermarks();
            channel.addAll(marks.subList(watermarks, marks.size()));
            watermarks = marks.size();
        }
    }
}
