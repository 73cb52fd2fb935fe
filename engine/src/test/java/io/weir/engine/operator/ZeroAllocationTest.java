package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.AggregatingState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Flyweight;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongCell;
import io.weir.engine.api.LongState;
import io.weir.engine.api.MapState;
import io.weir.engine.api.ReducingState;
import io.weir.engine.api.StateTtl;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.api.ValueState;
import io.weir.engine.harness.HarnessPartitions;
import io.weir.engine.harness.OperatorHarness;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A flyweight pipeline allocates nothing per record once it is warm. */
final class ZeroAllocationTest {
    private static final int RECORDS = 1_000_000;
    private static final int KEYS = 64;

    static final class Tick extends Flyweight {
        static final int LENGTH = 24;

        long id() {
            return getLong(0);
        }

        long timeNs() {
            return getLong(8);
        }

        long price() {
            return getLong(16);
        }
    }

    /** Counts by key, as a number and as flyweights that are changed in place. */
    static final class Counting implements KeyedProcessFunction<Long, Tick, Tick> {
        private static final long serialVersionUID = 1L;
        private transient LongState count;
        private transient LongState recentCount;
        private transient ValueState<LongCell> recent;
        private transient ValueState<LongCell> sum;
        private transient MapState<LongCell, LongCell> byPrice;
        private transient ReducingState<LongCell> reduced;
        private transient AggregatingState<Tick, LongCell> folded;
        private transient LongCell fresh;
        private transient LongCell price;
        private transient MapState.Visitor<LongCell, LongCell> visitor;
        private transient long visited;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
            recentCount = states.longState("recentCount", StateTtl.afterAccess(Duration.ofDays(1)));
            recent = states.valueState("recent", Codecs.longCell(), StateTtl.afterWrite(Duration.ofDays(1)));
            sum = states.valueState("sum", Codecs.longCell());
            byPrice = states.mapState("byPrice", Codecs.longCell(), Codecs.longCell());
            reduced = states.reducingState("reduced", (a, b) -> a.add(b.get()), Codecs.longCell());
            folded = states.aggregatingState("folded", new Sum(), Codecs.longCell());
            fresh = new LongCell();
            price = new LongCell();
            visitor = (key, value) -> visited += value.get();
        }

        @Override
        public void process(final Tick tick, final KeyedProcessContext<Long> context, final Collector<Tick> out)
                throws Exception {
            count.set(count.get(0) + context.longKey());
            final LongCell cell = sum.value();
            sum.update((cell == null ? fresh.set(0) : cell).add(tick.price()));
            recentCount.set(recentCount.get(0) + 1);
            final LongCell latest = recent.value();
            recent.update((latest == null ? fresh.set(0) : latest).set(tick.id()));
            price.set(tick.id() % 2);
            final LongCell known = byPrice.get(price);
            byPrice.put(price, (known == null ? fresh.set(0) : known).add(1));
            byPrice.forEach(visitor);
            reduced.add(price);
            folded.add(tick);
            out.collect(tick);
        }
    }

    static final class Sum implements AggregateFunction<Tick, LongCell, LongCell> {
        private static final long serialVersionUID = 1L;
        private final transient LongCell fresh = new LongCell();

        @Override
        public LongCell create() {
            return fresh.set(0);
        }

        @Override
        public LongCell add(final LongCell sum, final Tick tick) {
            return sum.add(tick.price());
        }

        @Override
        public LongCell result(final LongCell sum, final TimeWindow window) {
            return sum;
        }
    }

    private final Codec<Tick> codec = Codecs.flyweight("Tick", Tick.LENGTH, Tick::new);
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Tick.LENGTH]);
    private long nextId;

    @Test
    void shouldAllocateNothingFromEventTimeOverAFilterToStateByKey() throws Exception {
        final Sink sink = new Sink();
        final KeyedProcessOperator<Long, Tick, Tick> process =
                new KeyedProcessOperator<>(KeyExtractors.byLong(tick -> tick.id() % KEYS), new Counting());
        final FilterOperator<Tick> filter = new FilterOperator<>(tick -> tick.id() % 4 != 0);
        final EventTimeOperator<Tick> time = new EventTimeOperator<>(Tick::timeNs, TimeUnit.NANOSECONDS, 10, 0);
        try (Chained last = new Chained(process, sink);
                Chained middle = new Chained(filter, process);
                Chained first = new Chained(time, filter)) {
            assertAllocatesNothing(time, last, middle, first);
        }
        assertTrue(sink.records > RECORDS, "records=" + sink.records);
    }

    @Test
    void shouldAllocateNothingInAWindowThatIsOpen() throws Exception {
        final Sink sink = new Sink();
        final WindowAggregateOperator<Long, Tick, LongCell, LongCell> window = new WindowAggregateOperator<>(
                KeyExtractors.byLong(tick -> tick.id() % KEYS),
                new Tumbling(Long.MAX_VALUE / 4, 0),
                new Sum(),
                Codecs.longCell(),
                null,
                null);
        final EventTimeOperator<Tick> time = new EventTimeOperator<>(Tick::timeNs, TimeUnit.NANOSECONDS, 10, 0);
        try (Chained last = new Chained(window, sink);
                Chained first = new Chained(time, window)) {
            assertAllocatesNothing(time, last, first);
            window.watermark(Long.MAX_VALUE);
        }
        assertEquals(KEYS, sink.records);
    }

    /** Sums what broadcast state says of a price, and all of that state. */
    static final class Pricing implements KeyedBroadcastProcessFunction<Long, Tick, LongCell, Tick> {
        private static final long serialVersionUID = 1L;
        private static final BroadcastStateDescriptor<LongCell, LongCell> PRICES =
                BroadcastStateDescriptor.of("prices", Codecs.longCell(), Codecs.longCell());
        private transient LongState sum;
        private transient LongCell price;
        private transient MapState.Visitor<LongCell, LongCell> visitor;
        private transient long visited;

        @Override
        public void open(final KeyedStates states) {
            sum = states.longState("sum");
            price = new LongCell();
            visitor = (key, value) -> visited += value.get();
        }

        @Override
        public void processElement(final Tick tick, final ReadOnlyContext<Long> context, final Collector<Tick> out)
                throws Exception {
            final LongCell known = context.broadcastState(PRICES).get(price.set(tick.price()));
            sum.set(sum.get(0) + known.get());
            context.broadcastState(PRICES).forEach(visitor);
            out.collect(tick);
        }

        @Override
        public void processBroadcastElement(
                final LongCell value, final Context<Long> context, final Collector<Tick> out) {
            context.broadcastState(PRICES).put(value, value);
        }
    }

    @Test
    void shouldAllocateNothingToReadBroadcastState() throws Exception {
        final Sink sink = new Sink();
        final KeyedBroadcastProcessOperator<Long, Tick, LongCell, Tick> process = new KeyedBroadcastProcessOperator<>(
                KeyExtractors.byLong(tick -> tick.id() % KEYS), new Pricing(), List.of(Pricing.PRICES));
        final EventTimeOperator<Tick> time = new EventTimeOperator<>(Tick::timeNs, TimeUnit.NANOSECONDS, 10, 0);
        try (Chained last = new Chained(process, sink);
                Chained first = new Chained(time, process)) {
            for (int price = 0; price < 5; price++) {
                process.receiveSecond(new LongCell().set(price), Long.MIN_VALUE, Long.MIN_VALUE);
            }
            assertAllocatesNothing(time, last, first);
        }
        assertTrue(sink.records > RECORDS, "records=" + sink.records);
    }

    private void assertAllocatesNothing(final EventTimeOperator<Tick> head, final Chained... operators)
            throws Exception {
        assertTrue(operators.length > 0, "operators are open");
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        // The first rounds warm up; a round that the JIT compiler disturbed does not count against us.
        for (int round = 0; round < 5 && least > 0; round++) {
            final long before = threads.getThreadAllocatedBytes(thread);
            run(head, RECORDS);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        // Asking for the number allocates a little itself.
        assertTrue(least < 1_000, "allocated " + least + " bytes for " + RECORDS + " records");
    }

    private void run(final EventTimeOperator<Tick> head, final int records) throws Exception {
        for (int i = 0; i < records; i++) {
            bytes.putLong(0, nextId);
            bytes.putLong(8, nextId);
            bytes.putLong(16, 3);
            nextId++;
            head.receive(codec.decode(bytes, 0, Tick.LENGTH), Long.MIN_VALUE, Long.MIN_VALUE);
            if (i % 1_000 == 0) {
                head.batchEnd(i);
            }
        }
    }

    /** Opens an operator in front of another. */
    private static final class Chained implements AutoCloseable {
        private final OperatorHarness<Tick> harness;

        Chained(final Operator<Tick> operator, final Receiver<?> next) throws Exception {
            harness = new OperatorHarness<>(() -> operator)
                    .partitions(new HarnessPartitions(0))
                    .output(next)
                    .open();
        }

        @Override
        public void close() {
            harness.close();
        }
    }

    private static final class Sink implements Receiver<Flyweight> {
        private long records;

        @Override
        public void receive(final Flyweight value, final long timestampNs, final long sourceWatermarkNs) {
            records++;
        }

        @Override
        public void watermark(final long watermarkNs) {
            // Nobody is behind the sink.
        }

        @Override
        public void idle() {
            // Nobody is behind the sink.
        }
    }
}
