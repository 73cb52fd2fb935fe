package io.weir.engine.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.BroadcastStream;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Stream;
import io.weir.engine.api.TimeWindow;
import io.weir.engine.api.Tumbling;
import io.weir.engine.graph.PhysicalPlan.ChainNode;
import io.weir.engine.graph.PhysicalPlan.Chained;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.engine.graph.PhysicalPlan.ToEdge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.operator.TwoInputOperator;
import io.weir.storage.log.MemoryLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlannerTest {
    record Tick(String symbol, long timeMs, long price) {}

    record Total(String symbol, long sum) {}

    private final Pipeline pipeline = Pipeline.named("job");
    private final MemoryLog out = MemoryLog.bounded(1);

    @Test
    void shouldChainFromTheSourceToTheKeyByAndFromThereToTheSink() {
        ticks().filter(tick -> tick.price() > 0)
                .eventTime(Tick::timeMs, Duration.ofMillis(500))
                .keyBy(Tick::symbol)
                .window(Tumbling.of(Duration.ofSeconds(1)))
                .aggregate(new Sum())
                .write(out, Codec.ofRecord(Total.class), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline.parallelism(2));

        assertEquals(2, plan.vertices().size());
        assertEquals("read -> filter -> eventtime", plan.vertices().get(0).name());
        assertEquals("window -> write", plan.vertices().get(1).name());
        final Edge edge = plan.edges().get(0);
        assertEquals(Partitioning.KEYED, edge.partitioning());
        assertEquals("Tick(symbol:string?,timeMs:long,price:long)", edge.codec().signature());
        assertEquals("string", edge.keys().get().keyCodec().signature());
        assertEquals(2, plan.vertices().get(1).parallelism());
    }

    @Test
    void shouldExplainThePlan() {
        ticks().eventTime(Tick::timeMs, Duration.ofMillis(500))
                .keyBy(Tick::symbol)
                .distinct()
                .write(out, Codec.ofRecord(Tick.class), Delivery.EXACTLY_ONCE)
                .uid("ticks")
                .parallelism(1);

        final String text = Planner.plan(pipeline.parallelism(2)).explain();

        assertEquals("""
            job: vertices=3, edges=2, tasks=5, maxParallelism=128
            [0] read -> eventtime  parallelism=2
                source read-1 log=memory codec=Tick(symbol:string?,timeMs:long,price:long)
                    eventtime-1
                        => [1] keyed codec=Tick(symbol:string?,timeMs:long,price:long)
            [1] distinct  parallelism=2
                distinct-1
                    => [2] rebalance codec=Tick(symbol:string?,timeMs:long,price:long)
            [2] write  parallelism=1
                ticks
            """, text);
    }

    @Test
    void shouldGiveEachTaskItsOwnCopyOfAFunctionObject() {
        ticks().keyBy(Tick::symbol).process(new Counting()).write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        final ChainNode node = head(Planner.plan(pipeline), 1);

        assertNotSame(node.operator().get(), node.operator().get());
    }

    @Test
    void shouldInferTheCodecOfALambdaAndOfAMethodReference() {
        final Stream<Total> totals = ticks().map(tick -> new Total(tick.symbol(), tick.price()));
        totals.keyBy(Total::symbol).distinct().write(out, Codec.ofRecord(Total.class), Delivery.EXACTLY_ONCE);
        ticks().map(Tick::price)
                .parallelism(1)
                .union(ticks().map(t -> t.price() + 1).parallelism(1))
                .keyByLong(price -> price)
                .distinct()
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline);

        assertEquals(
                List.of("Total(symbol:string?,sum:long)", "long", "long"),
                plan.edges().stream().map(edge -> edge.codec().signature()).toList());
    }

    @Test
    void shouldInferTheCodecOfAFunctionClassThroughItsSuperclass() {
        ticks().keyBy(Tick::symbol)
                .process(new Counting())
                .parallelism(2)
                .filter(count -> count > 1)
                .parallelism(1)
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline);

        assertEquals("long", plan.edges().get(1).codec().signature());
        assertEquals(Partitioning.REBALANCE, plan.edges().get(1).partitioning());
    }

    @Test
    void shouldTakeTheCodecThatTheUserGivesWhereNoneCanBeInferred() {
        ticks().<Long>flatMap((tick, collector) -> collector.collect(tick.price()))
                .codec(Codecs.longs())
                .keyByLong(price -> price)
                .distinct()
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        assertEquals("long", Planner.plan(pipeline).edges().get(0).codec().signature());
    }

    @Test
    void shouldNameTheOperatorWhoseCodecCannotBeInferred() {
        ticks().<Long>flatMap((tick, collector) -> collector.collect(tick.price()))
                .uid("prices")
                .keyByLong(price -> price)
                .distinct()
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        failsWith("operator 'prices' (flatmap): the codec of its output cannot be inferred", ".codec(...)");
    }

    @Test
    void shouldNeedNoCodecWhereTheStreamStaysInItsTask() {
        ticks().<Long>flatMap((tick, collector) -> collector.collect(tick.price()))
                .filter(price -> price > 0)
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        assertEquals(1, Planner.plan(pipeline).vertices().size());
    }

    @Test
    void shouldNameTheOperatorWhoseKeyHasNoCodec() {
        ticks().keyBy(tick -> List.of(tick.symbol())).distinct().write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        failsWith(
                "operator 'distinct-1' (distinct): the codec of its keys cannot be inferred", "keyBy(function, codec)");
    }

    @Test
    void shouldRefuseEventTimeBehindAKeyByAUnionOrAnotherParallelism() {
        ticks().keyBy(Tick::symbol)
                .distinct()
                .eventTime(Tick::timeMs, Duration.ZERO)
                .write(out, tickCodec(), Delivery.EXACTLY_ONCE);
        failsWith("operator 'eventtime-1' (eventtime) must stand in the chain of its source", "right behind read(...)");

        final Pipeline joined = Pipeline.named("joined");
        joined.read(MemoryLog.bounded(1), tickCodec())
                .union(joined.read(MemoryLog.bounded(1), tickCodec()))
                .eventTime(Tick::timeMs, Duration.ZERO)
                .write(out, tickCodec(), Delivery.EXACTLY_ONCE);
        failsWith(joined, "must stand in the chain of its source");

        final Pipeline spread = Pipeline.named("spread");
        spread.read(MemoryLog.bounded(1), tickCodec())
                .filter(tick -> true)
                .parallelism(2)
                .eventTime(Tick::timeMs, Duration.ZERO)
                .parallelism(2)
                .write(out, tickCodec(), Delivery.EXACTLY_ONCE);
        failsWith(spread, "another parallelism");
    }

    @Test
    void shouldRefuseAWindowThatASourceReachesWithoutEventTime() {
        ticks().eventTime(Tick::timeMs, Duration.ZERO)
                .union(ticks())
                .keyBy(Tick::symbol)
                .window(Tumbling.of(Duration.ofSeconds(1)))
                .aggregate(new Sum())
                .write(out, Codec.ofRecord(Total.class), Delivery.EXACTLY_ONCE);

        failsWith("operator 'window-1' (window) needs event time");
    }

    /** Keeps totals by name, and passes ticks of those. */
    private static final class Known implements KeyedBroadcastProcessFunction<String, Tick, Total, Tick> {
        private static final long serialVersionUID = 1L;
        private final BroadcastStateDescriptor<String, Total> totals =
                BroadcastStateDescriptor.of("totals", Codecs.strings(), Codec.ofRecord(Total.class));

        @Override
        public void processElement(
                final Tick tick,
                final KeyedBroadcastProcessFunction.ReadOnlyContext<String> context,
                final Collector<Tick> out)
                throws Exception {
            if (context.broadcastState(totals).contains(tick.symbol())) {
                out.collect(tick);
            }
        }

        @Override
        public void processBroadcastElement(
                final Total total,
                final KeyedBroadcastProcessFunction.Context<String> context,
                final Collector<Tick> out) {
            context.broadcastState(totals).put(total.symbol(), total);
        }
    }

    /** As above, of ticks without a key. */
    private static final class KnownEach implements BroadcastProcessFunction<Tick, Total, Tick> {
        private static final long serialVersionUID = 1L;
        private final Known known = new Known();

        @Override
        public void processElement(
                final Tick tick, final BroadcastProcessFunction.ReadOnlyContext context, final Collector<Tick> out)
                throws Exception {
            if (context.broadcastState(known.totals).contains(tick.symbol())) {
                out.collect(tick);
            }
        }

        @Override
        public void processBroadcastElement(
                final Total total, final BroadcastProcessFunction.Context context, final Collector<Tick> out) {
            context.broadcastState(known.totals).put(total.symbol(), total);
        }
    }

    private BroadcastStream<Total> totals(final Known function) {
        return pipeline.read(MemoryLog.bounded(1), Codec.ofRecord(Total.class)).broadcast(function.totals);
    }

    @Test
    void shouldBroadcastToTheSecondInputOfAConnectedKeyedStream() {
        final Known function = new Known();
        ticks().keyBy(Tick::symbol)
                .connect(totals(function))
                .process(function)
                .keyBy(Tick::symbol)
                .distinct()
                .write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline.parallelism(2));

        assertEquals(
                List.of("read", "read", "process", "distinct -> write"),
                plan.vertices().stream().map(Vertex::name).toList());
        assertEquals(
                List.of(Partitioning.KEYED, Partitioning.BROADCAST, Partitioning.KEYED),
                plan.edges().stream().map(Edge::partitioning).toList());
        assertEquals(List.of(0, 1, 0), plan.edges().stream().map(Edge::input).toList());
        assertEquals(
                "Total(symbol:string?,sum:long)", plan.edges().get(1).codec().signature());
        assertEquals(tickCodec().signature(), plan.edges().get(2).codec().signature(), "inferred from the function");
        assertTrue(plan.explain().contains("=> [2] broadcast codec=Total(symbol:string?,sum:long)"), plan.explain());
        final ChainNode node = ((Chained) plan.vertices().get(2).entry().get(0)).node();
        assertInstanceOf(TwoInputOperator.class, node.operator().get());
    }

    @Test
    void shouldForwardTheStreamThatIsConnectedWithoutAKey() {
        final KnownEach function = new KnownEach();
        ticks().connect(totals(function.known)).process(function).write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline);

        assertEquals(
                List.of(Partitioning.FORWARD, Partitioning.BROADCAST),
                plan.edges().stream().map(Edge::partitioning).toList());
        assertEquals("process -> write", plan.vertices().get(2).name());
    }

    @Test
    void shouldRefuseAWindowBehindABroadcastStreamWithoutEventTime() {
        final KnownEach function = new KnownEach();
        ticks().eventTime(Tick::timeMs, Duration.ZERO)
                .connect(totals(function.known))
                .process(function)
                .keyBy(Tick::symbol)
                .window(Tumbling.of(Duration.ofSeconds(1)))
                .aggregate(new Sum())
                .write(out, Codec.ofRecord(Total.class), Delivery.EXACTLY_ONCE);

        failsWith("operator 'window-1' (window) needs event time");
    }

    @Test
    void shouldRefuseTwoOperatorsOfOneUid() {
        ticks().uid("a").filter(tick -> true).uid("a").write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        failsWith("operators 'read' and 'filter' both have uid 'a'");
    }

    @Test
    void shouldRefuseAnEmptyPipelineAndAStreamThatLeadsNowhere() {
        failsWith("pipeline 'job' is empty");

        ticks().map(Tick::price).uid("lost");

        failsWith("operator 'lost' (map) leads nowhere");
    }

    @Test
    void shouldRefuseParallelismAboveTheNumberOfKeyGroups() {
        ticks().write(out, tickCodec(), Delivery.EXACTLY_ONCE).parallelism(5);

        failsWith(pipeline.maxParallelism(4), "operator 'write-1' (write): parallelism=5 must be <= maxParallelism=4");
    }

    /** FLINK-40269: what is in flight on one of two edges between the same operators must not come back on the other. */
    @Test
    void shouldNameEachEdgeOfAPlanDifferently() {
        final Edge first = new Edge(0, 0, 1, Partitioning.KEYED, Codecs.longs(), null, 0);
        final Edge second = new Edge(1, 0, 1, Partitioning.REBALANCE, Codecs.longs(), null, 0);
        final Edge otherInput = new Edge(2, 0, 1, Partitioning.BROADCAST, Codecs.longs(), null, 1);
        final PhysicalPlan plan = new PhysicalPlan(
                "job",
                128,
                List.of(new Vertex(0, "a", "a", 1, null, List.of()), new Vertex(1, "b", "b", 1, null, List.of())),
                List.of(first, second, otherInput));

        assertEquals("a->b#0", plan.edgeName(first));
        assertEquals("a->b#0.1", plan.edgeName(second));
        assertEquals("a->b#1", plan.edgeName(otherInput));
    }

    @Test
    void shouldRefuseASideOutputThatTheOperatorDoesNotHave() {
        final OutputTag<Tick> late = OutputTag.of("late", tickCodec());
        ticks().filter(tick -> true).sideOutput(late).write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        failsWith("operator 'filter-1' (filter) has no side output 'late'");
    }

    /** A function that believes its lists are kept. */
    private static final class Remembering implements MapFunction<Tick, Tick>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public void initialize(final OperatorStates states) {
            throw new AssertionError("not in a plan");
        }

        @Override
        public void snapshot(final long checkpointId) {
            throw new AssertionError("not in a plan");
        }

        @Override
        public Tick map(final Tick tick) {
            return tick;
        }
    }

    @Test
    void shouldRefuseACheckpointedFunctionWhereItsListsWouldNotBeKept() {
        ticks().map(new Remembering()).uid("remembering").write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        failsWith("remembering", "Remembering is a CheckpointedFunction", "only the functions of process(..)");
    }

    @Test
    void shouldRefuseAFunctionThatCannotBeCopied() {
        ticks().keyBy(Tick::symbol)
                .process(new Unserializable(new Object()))
                .write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        failsWith("operator 'process-1' (process): its function " + Unserializable.class.getName(), "NotSerializable");
    }

    @Test
    void shouldConnectAUnionByOneEdgeEachAndASideOutputByItsTag() {
        final OutputTag<Tick> late = OutputTag.of("late", tickCodec());
        final Stream<Total> totals = ticks().eventTime(Tick::timeMs, Duration.ZERO)
                .union(ticks().eventTime(Tick::timeMs, Duration.ZERO))
                .keyBy(Tick::symbol)
                .window(Tumbling.of(Duration.ofSeconds(1)))
                .lateTo(late)
                .aggregate(new Sum(), (symbol, window, total) -> new Total(symbol, total.sum()));
        totals.write(out, Codec.ofRecord(Total.class), Delivery.EXACTLY_ONCE);
        totals.sideOutput(late).keyBy(Tick::symbol).distinct().write(out, tickCodec(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline);

        assertEquals(4, plan.vertices().size());
        assertEquals(List.of(0, 1, 2), plan.edges().stream().map(Edge::from).toList());
        assertEquals(List.of(2, 2, 3), plan.edges().stream().map(Edge::to).toList());
        final ChainNode window = head(plan, 2);
        assertInstanceOf(Chained.class, window.outputs().get(0));
        assertEquals(new ToEdge(late, 2), window.outputs().get(1));
    }

    @Test
    void shouldSendAStreamToAllItsConsumers() {
        final Stream<Tick> ticks = pipeline.read(MemoryLog.bounded(1), tickCodec(), OnBadRecord.SKIP);
        ticks.write(out, tickCodec(), Delivery.EXACTLY_ONCE);
        ticks.keyBy(Tick::symbol).distinct().write(out, tickCodec(), Delivery.EXACTLY_ONCE);
        ticks.map(Tick::price).write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        final Vertex source = Planner.plan(pipeline).vertices().get(0);

        assertEquals(OnBadRecord.SKIP, source.source().onBadRecord());
        assertEquals(3, source.entry().size());
        assertEquals("read -> (write, map -> write)", source.name());
        assertInstanceOf(ToEdge.class, source.entry().get(1));
    }

    @Test
    void shouldKeepDerivedUidsWhenAnotherOperatorOfAnotherNameIsAdded() {
        ticks().filter(tick -> true).map(Tick::price).write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);
        ticks().map(Tick::timeMs).name("the time").write(out, Codecs.longs(), Delivery.EXACTLY_ONCE);

        final PhysicalPlan plan = Planner.plan(pipeline);

        final ChainNode filter = ((Chained) plan.vertices().get(0).entry().get(0)).node();
        final ChainNode map = ((Chained) filter.outputs().get(0)).node();
        assertEquals("map-1", map.uid());
        assertEquals(
                "the_time-1",
                ((Chained) plan.vertices().get(1).entry().get(0)).node().uid());
    }

    private Stream<Tick> ticks() {
        return pipeline.read(MemoryLog.bounded(1), tickCodec());
    }

    private static Codec<Tick> tickCodec() {
        return Codec.ofRecord(Tick.class);
    }

    private static ChainNode head(final PhysicalPlan plan, final int vertex) {
        return ((Chained) plan.vertices().get(vertex).entry().get(0)).node();
    }

    private void failsWith(final String... parts) {
        failsWith(pipeline, parts);
    }

    private static void failsWith(final Pipeline pipeline, final String... parts) {
        final PlanException e = assertThrows(PlanException.class, () -> Planner.plan(pipeline));
        assertNotNull(e.getMessage());
        for (final String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage() + " should contain " + part);
        }
    }

    private static final class Sum implements AggregateFunction<Tick, Total, Total> {
        private static final long serialVersionUID = 1L;

        @Override
        public Total create() {
            return new Total(null, 0);
        }

        @Override
        public Total add(final Total total, final Tick tick) {
            return new Total(tick.symbol(), total.sum() + tick.price());
        }

        @Override
        public Total result(final Total total, final TimeWindow window) {
            return total;
        }
    }

    private abstract static class ToNumber<N extends Number> implements KeyedProcessFunction<String, Tick, N> {
        private static final long serialVersionUID = 1L;
    }

    private static final class Counting extends ToNumber<Long> {
        private static final long serialVersionUID = 1L;
        private long count;

        @Override
        public void process(
                final Tick value,
                final KeyedProcessContext<String> context,
                final io.weir.engine.api.Collector<Long> collector)
                throws Exception {
            collector.collect(++count);
        }
    }

    private static final class Unserializable implements KeyedProcessFunction<String, Tick, Long> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // That is the point.
        private final Object held;

        Unserializable(final Object held) {
            this.held = held;
        }

        @Override
        public void process(
                final Tick value,
                final KeyedProcessContext<String> context,
                final io.weir.engine.api.Collector<Long> collector)
                throws Exception {
            collector.collect((long) held.hashCode());
        }
    }
}
