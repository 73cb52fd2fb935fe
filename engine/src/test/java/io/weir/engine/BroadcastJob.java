package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.storage.log.MemoryLog;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * A job with broadcast state whose output tells, however its two inputs interleave, whether state was exactly once: each count of a
 * key once, each number of a broadcast record once a subtask, and from the broadcast record on that found a key for the first time
 * each one after it once.
 */
public final class BroadcastJob {
    static final BroadcastStateDescriptor<Long, Long> RULES =
            BroadcastStateDescriptor.of("rules", Codecs.longs(), Codecs.longs());
    private static final int KEYS = 23;
    private static final int RULE_COUNT = 5;

    private BroadcastJob() {}

    /**
     * The pipeline.
     *
     * @param fails asked for each result; true fails the task.
     */
    public static Pipeline pipeline(
            final MemoryLog data,
            final MemoryLog rules,
            final MemoryLog output,
            final int parallelism,
            final BooleanSupplier fails) {
        return pipeline(RULES, new Counting(), data, rules, output, parallelism, fails);
    }

    static Pipeline pipeline(
            final BroadcastStateDescriptor<?, ?> descriptor,
            final KeyedBroadcastProcessFunction<Long, Long, Long, String> function,
            final MemoryLog data,
            final MemoryLog rules,
            final MemoryLog output,
            final int parallelism,
            final BooleanSupplier fails) {
        final Pipeline pipeline = Pipeline.named("broadcast").parallelism(parallelism);
        pipeline.read(data, Codecs.longs())
                .uid("data")
                .keyByLong(value -> value % KEYS)
                .connect(pipeline.read(rules, Codecs.longs()).uid("rules").broadcast(descriptor))
                .process(function)
                .uid("count")
                .process((String text, ProcessContext context, Collector<String> out) -> {
                    if (fails.getAsBoolean()) {
                        throw new IllegalStateException("planned failure");
                    }
                    out.collect(text);
                })
                .uid("fail")
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE)
                .uid("out");
        return pipeline;
    }

    /** Checks the output of a job that has ended. */
    public static void check(
            final MemoryLog data, final MemoryLog rules, final MemoryLog output, final int parallelism) {
        int ruleCount = 0;
        for (int partition = 0; partition < rules.partitions().size(); partition++) {
            ruleCount += rules.records(partition).size();
        }
        final Map<String, Integer> expected = new TreeMap<>(JobTest.expected(data, KEYS));
        for (int number = 1; number <= ruleCount; number++) {
            expected.put("rule " + number, parallelism);
        }
        final Map<String, Integer> counts = new TreeMap<>();
        final Map<String, TreeSet<Integer>> visits = new TreeMap<>();
        JobTest.counted(output).forEach((text, times) -> {
            if (text.startsWith("visit ")) {
                assertEquals(1, times, text);
                final String[] words = text.split(" ");
                visits.computeIfAbsent(words[1], key -> new TreeSet<>()).add(Integer.valueOf(words[2]));
            } else {
                counts.put(text, times);
            }
        });
        assertEquals(expected, counts);
        for (final Map.Entry<String, TreeSet<Integer>> visit : visits.entrySet()) {
            assertEquals(ruleCount, visit.getValue().last(), visit::toString);
            assertEquals(
                    ruleCount - visit.getValue().first() + 1, visit.getValue().size(), visit::toString);
        }
    }

    /** Counts by key, and visits all keys for each rule. */
    static final class Counting implements KeyedBroadcastProcessFunction<Long, Long, Long, String> {
        private static final long serialVersionUID = 1L;
        private static final long NUMBER = -1;
        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void processElement(final Long value, final ReadOnlyContext<Long> context, final Collector<String> out)
                throws Exception {
            final Long number = context.broadcastState(RULES).get(NUMBER);
            final int size = context.broadcastState(RULES).size();
            if (number == null ? size != 0 : size != 1 + Math.min(RULE_COUNT, number)) {
                throw new IllegalStateException("number=" + number + ", size=" + size);
            }
            count.set(count.get(0) + 1);
            out.collect(context.longKey() + ":" + count.get(0));
        }

        @Override
        public void processBroadcastElement(final Long rule, final Context<Long> context, final Collector<String> out)
                throws Exception {
            final BroadcastState<Long, Long> rules = context.broadcastState(RULES);
            final Long last = rules.get(NUMBER);
            final long number = last == null ? 1 : last + 1;
            rules.put(NUMBER, number);
            rules.put(number % RULE_COUNT, rule);
            out.collect("rule " + number);
            context.applyToKeyedState(count, (key, state) -> out.collect("visit " + key + ' ' + number));
        }
    }
}
