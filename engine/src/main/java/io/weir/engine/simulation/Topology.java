package io.weir.engine.simulation;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Stream;
import io.weir.engine.api.Tumbling;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The shapes of jobs that are simulated. */
enum Topology {
    /** One source, counted by key. */
    PIPELINE(1, 3) {
        @Override
        void build(final Parts parts) {
            parts.count(parts.read(0), 1);
        }
    },

    /** Two sources, united before they are counted. */
    UNION(2, 4) {
        @Override
        void build(final Parts parts) {
            final Stream<Long> united = parts.read(0).union(parts.read(1));
            parts.count(parts.pass(united, "united", 2), 3);
        }
    },

    /** A task with an edge of its own and one that is broadcast, without keys. */
    TWO_INPUTS(2, 4) {
        @Override
        void build(final Parts parts) {
            parts.write(
                    parts.read(0)
                            .connect(parts.read(1).broadcast(Ruling.RULES))
                            .process(new Ruling())
                            .uid("rule")
                            .parallelism(parts.parallelism(2))
                            .codec(Parts.ROWS),
                    0,
                    "out",
                    3);
        }
    },

    /** State by key beside broadcast state. */
    KEYED_BROADCAST(2, 4) {
        @Override
        void build(final Parts parts) {
            parts.write(
                    parts.read(0)
                            .keyByLong(Facts::key)
                            .connect(parts.read(1).broadcast(Ruling.RULES))
                            .process(new KeyedRuling())
                            .uid("rule")
                            .parallelism(parts.parallelism(2))
                            .codec(Parts.ROWS),
                    0,
                    "out",
                    3);
        }
    },

    /** One source, parted and united again. */
    DIAMOND(1, 5) {
        @Override
        void build(final Parts parts) {
            final Stream<Long> read = parts.read(0);
            final Stream<Long> odd = parts.pass(
                    read.filter(id -> id % 2 != 0)
                            .uid("odd")
                            .parallelism(parts.parallelism(0))
                            .codec(Codecs.longs()),
                    "left",
                    1);
            final Stream<Long> even = parts.pass(
                    read.filter(id -> id % 2 == 0)
                            .uid("even")
                            .parallelism(parts.parallelism(0))
                            .codec(Codecs.longs()),
                    "right",
                    2);
            parts.count(odd.union(even), 3);
        }
    },

    /** Two sinks: one for numbered records, one for windows, and what is late goes to the first one's log too. */
    TWO_SINKS(1, 4) {
        @Override
        void build(final Parts parts) {
            final OutputTag<Long> late = OutputTag.of("late", Codecs.longs());
            final Stream<Long> read = parts.read(0);
            parts.write(
                    read.process(new Numbering())
                            .uid("number")
                            .parallelism(parts.parallelism(1))
                            .codec(Parts.ROWS),
                    0,
                    "out-numbered",
                    1);
            final Stream<Row> windows = read.keyByLong(Facts::key)
                    .window(Tumbling.of(Duration.ofMillis(Facts.WINDOW_MS)))
                    .lateTo(late)
                    .aggregate(
                            new Summing(),
                            Codecs.longs(),
                            (key, window, sum) -> Row.of(Row.WINDOW, key, window.endMs(), sum))
                    .uid("window")
                    .parallelism(parts.parallelism(2))
                    .codec(Parts.ROWS);
            parts.write(windows, 1, "out-windows", 3);
            parts.write(
                    windows.sideOutput(late)
                            .map(id -> Row.of(Row.LATE, id, 0, 0))
                            .uid("late")
                            .parallelism(parts.parallelism(2))
                            .codec(Parts.ROWS),
                    0,
                    "out-late",
                    2);
        }
    };

    static final String JOB = "flow";
    static final int OUTPUTS = 2;

    private final int inputs;
    private final int stages;

    Topology(final int inputs, final int stages) {
        this.inputs = inputs;
        this.stages = stages;
    }

    int inputs() {
        return inputs;
    }

    /** How many numbers say the parallelism of all stages. */
    int stages() {
        return stages;
    }

    abstract void build(Parts parts);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** What a topology is made of. */
    static final class Parts {
        static final Codec<Row> ROWS = new RowCodec();

        private final Pipeline pipeline;
        private final List<Integer> parallelism;
        private final List<? extends ReplayableLog> inputs;
        private final List<? extends TransactionalLog> outputs;
        private final Fuse fuse;

        Parts(
                final Scenario scenario,
                final List<Integer> parallelism,
                final List<? extends ReplayableLog> inputs,
                final List<? extends TransactionalLog> outputs,
                final Fuse fuse) {
            pipeline = Pipeline.named(JOB).maxParallelism(scenario.maxParallelism());
            this.parallelism = parallelism;
            this.inputs = inputs;
            this.outputs = outputs;
            this.fuse = fuse;
        }

        Pipeline pipeline() {
            return pipeline;
        }

        int parallelism(final int stage) {
            return parallelism.get(stage);
        }

        /** An input; its parallelism is that of the stage with its number. */
        Stream<Long> read(final int input) {
            return pipeline.read(inputs.get(input), Codecs.longs())
                    .uid("in" + input)
                    .parallelism(parallelism.get(input))
                    .eventTime(Facts::timeMs, Duration.ofMillis(Facts.BOUND_MS))
                    .uid("time" + input)
                    .parallelism(parallelism.get(input))
                    .codec(Codecs.longs());
        }

        Stream<Long> pass(final Stream<Long> stream, final String uid, final int stage) {
            return stream.map(fuse::<Long>pass)
                    .uid(uid)
                    .parallelism(parallelism.get(stage))
                    .codec(Codecs.longs());
        }

        /** Counts by key, and writes. */
        void count(final Stream<Long> stream, final int stage) {
            write(
                    stream.keyByLong(Facts::key)
                            .process(new Counting())
                            .uid("count")
                            .parallelism(parallelism.get(stage))
                            .codec(ROWS),
                    0,
                    "out",
                    parallelism.size() - 1);
        }

        void write(final Stream<Row> rows, final int output, final String uid, final int stage) {
            rows.map(fuse::<Row>pass)
                    .uid(uid + "-fuse")
                    .parallelism(parallelism.get(stage))
                    .codec(ROWS)
                    .write(outputs.get(output), ROWS, Delivery.EXACTLY_ONCE)
                    .parallelism(parallelism.get(stage))
                    .uid(uid);
        }
    }
}
