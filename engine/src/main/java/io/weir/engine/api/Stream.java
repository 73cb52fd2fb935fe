package io.weir.engine.api;

import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Keying;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import io.weir.storage.log.TransactionalLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A stream of records: the output of an operator, and the handle for that operator's settings. Using one stream several times
 * sends each record to all of its consumers. One thread at a time.
 *
 * @param <T> type of the records.
 */
public final class Stream<T> {
    private final Pipeline pipeline;
    private final List<Input> inputs;
    private final Step step;

    Stream(final Pipeline pipeline, final List<Input> inputs, final Step step) {
        this.pipeline = pipeline;
        this.inputs = inputs;
        this.step = step;
    }

    /**
     * Turns each record into another.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> map(final MapFunction<? super T, ? extends R> function) {
        return add(new Transform.Map(Objects.requireNonNull(function, "function")));
    }

    /**
     * Keeps the records that pass a test.
     *
     * @param function of the user.
     * @return the stream of the records that stay.
     */
    public Stream<T> filter(final FilterFunction<? super T> function) {
        return add(new Transform.Filter(Objects.requireNonNull(function, "function")));
    }

    /**
     * Turns each record into none, one or many.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> flatMap(final FlatMapFunction<? super T, R> function) {
        return add(new Transform.FlatMap(Objects.requireNonNull(function, "function")));
    }

    /**
     * Processes each record with sight of time and side outputs.
     *
     * @param function of the user.
     * @param <R> type of the results.
     * @return the stream of the results.
     */
    public <R> Stream<R> process(final ProcessFunction<? super T, R> function) {
        return add(new Transform.ProcessEach(Objects.requireNonNull(function, "function")));
    }

    /**
     * Gives each record its event time, in milliseconds of the epoch, and makes watermarks.
     *
     * @param timestampMs takes a record's time.
     * @param bound how far a record may come behind a later one of its source partition without being late.
     * @return the same records, with time.
     * @see #eventTime(ToLongFunction, TimeUnit, Duration, Duration)
     */
    public Stream<T> eventTime(final ToLongFunction<? super T> timestampMs, final Duration bound) {
        return eventTime(timestampMs, TimeUnit.MILLISECONDS, bound);
    }

    /**
     * Gives each record its event time and makes watermarks.
     *
     * @param timestamp takes a record's time since the epoch.
     * @param unit of that time.
     * @param bound how far a record may come behind a later one of its source partition without being late.
     * @return the same records, with time.
     * @see #eventTime(ToLongFunction, TimeUnit, Duration, Duration)
     */
    public Stream<T> eventTime(final ToLongFunction<? super T> timestamp, final TimeUnit unit, final Duration bound) {
        return eventTime(timestamp, unit, bound, Duration.ZERO);
    }

    /**
     * Gives each record its event time and makes watermarks. Stands between the source and the first keyBy, because it follows
     * each source partition on its own: the watermark is the least of (greatest time seen - bound - 1 ns) over the partitions.
     *
     * @param timestamp takes a record's time since the epoch.
     * @param unit of that time.
     * @param bound how far a record may come behind a later one of its source partition without being late.
     * @param idleness how long a partition may be silent before it no longer holds back the others; zero to wait for ever. What
     *     comes from it later may then be late, depending on the clock: only without idleness every run finds the same records
     *     late.
     * @return the same records, with time.
     */
    public Stream<T> eventTime(
            final ToLongFunction<? super T> timestamp,
            final TimeUnit unit,
            final Duration bound,
            final Duration idleness) {
        Objects.requireNonNull(timestamp, "timestamp");
        Objects.requireNonNull(unit, "unit");
        if (bound.isNegative()) {
            throw new IllegalArgumentException("bound=" + bound + " must not be negative");
        }
        if (idleness.isNegative()) {
            throw new IllegalArgumentException("idleness=" + idleness + " must not be negative");
        }
        return add(new Transform.EventTime(timestamp, unit, bound.toNanos(), idleness.toNanos()));
    }

    /**
     * Groups the records by a key whose codec is inferred from the function.
     *
     * @param key takes a record's key.
     * @param <K> type of the keys.
     * @return the keyed stream.
     */
    public <K> KeyedStream<K, T> keyBy(final KeyFunction<? super T, K> key) {
        return new KeyedStream<>(pipeline, inputs, new Keying.ByObject(Objects.requireNonNull(key, "key"), null));
    }

    /**
     * Groups the records by a key.
     *
     * @param key takes a record's key.
     * @param codec of the keys: equal keys must give equal bytes.
     * @param <K> type of the keys.
     * @return the keyed stream.
     */
    public <K> KeyedStream<K, T> keyBy(final KeyFunction<? super T, K> key, final Codec<K> codec) {
        Objects.requireNonNull(key, "key");
        return new KeyedStream<>(pipeline, inputs, new Keying.ByObject(key, Objects.requireNonNull(codec, "codec")));
    }

    /**
     * Groups the records by a number, without boxing.
     *
     * @param key takes a record's key.
     * @return the keyed stream.
     */
    public KeyedStream<Long, T> keyByLong(final ToLongFunction<? super T> key) {
        return new KeyedStream<>(pipeline, inputs, new Keying.ByLong(Objects.requireNonNull(key, "key")));
    }

    /**
     * Joins this stream with others of the same type. The order between them is not defined; the watermark is the least of
     * theirs.
     *
     * @param others to join.
     * @return the stream of all their records.
     */
    @SafeVarargs
    public final Stream<T> union(final Stream<T>... others) {
        final List<Input> all = new ArrayList<>(inputs);
        for (final Stream<T> other : others) {
            if (other.pipeline != pipeline) {
                throw new IllegalArgumentException("a union joins streams of one pipeline, but one is of '"
                        + pipeline.name() + "' and one of '" + other.pipeline.name() + "'");
            }
            all.addAll(other.inputs);
        }
        return new Stream<>(pipeline, List.copyOf(all), null);
    }

    /**
     * Sends every record to all subtasks of the operator that the stream is connected to, which keep what they need of them in
     * broadcast states: maps that each subtask holds whole. The order of records from different subtasks of this stream's operator
     * is not defined and may differ between those that receive them; with parallelism 1 it is one order for all.
     *
     * @param states of that operator, at least one, each with a name of its own.
     * @return the stream, to be connected.
     */
    public BroadcastStream<T> broadcast(final BroadcastStateDescriptor<?, ?>... states) {
        if (states.length == 0) {
            throw new IllegalArgumentException("broadcast needs the descriptor of a state to keep records in");
        }
        final Set<String> names = new HashSet<>();
        for (final BroadcastStateDescriptor<?, ?> state : states) {
            if (!names.add(state.name())) {
                throw new IllegalArgumentException("broadcast is given state '" + state.name() + "' twice");
            }
        }
        return new BroadcastStream<>(pipeline, inputs, List.of(states));
    }

    /**
     * Lets each record meet what a broadcast stream has brought.
     *
     * @param broadcast of which every subtask gets all records.
     * @param <B> type of its records.
     * @return both, to be processed.
     */
    public <B> BroadcastConnectedStream<T, B> connect(final BroadcastStream<B> broadcast) {
        return new BroadcastConnectedStream<>(pipeline, inputs, broadcast);
    }

    /**
     * Writes the stream to a log.
     *
     * @param log to write.
     * @param codec of the records.
     * @param delivery what is promised.
     * @return the sink, for its settings.
     */
    public Sink write(final TransactionalLog log, final Codec<? super T> codec, final Delivery delivery) {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(delivery, "delivery");
        return new Sink(add(new Transform.Write(log, codec, delivery)).step);
    }

    /**
     * A side output of the operator that made this stream.
     *
     * @param tag as the operator uses it.
     * @param <S> type of its records.
     * @return the stream of the side output.
     */
    public <S> Stream<S> sideOutput(final OutputTag<S> tag) {
        return new Stream<>(pipeline, List.of(new Input(operator("sideOutput"), tag)), null);
    }

    /**
     * Sets the id that the operator's state is kept under. Give one to every stateful operator: the derived one changes when
     * operators of the same name are added or removed before it.
     *
     * @param uid unique within the pipeline: letters, digits and {@code - _ .}.
     * @return this.
     */
    public Stream<T> uid(final String uid) {
        operator("uid").uid(uid);
        return this;
    }

    /**
     * Sets the operator's name, for people.
     *
     * @param name not blank.
     * @return this.
     */
    public Stream<T> name(final String name) {
        operator("name").name(name);
        return this;
    }

    /**
     * Sets the number of subtasks of the operator.
     *
     * @param subtasks at least 1, at most the pipeline's max parallelism.
     * @return this.
     */
    public Stream<T> parallelism(final int subtasks) {
        operator("parallelism").parallelism(subtasks);
        return this;
    }

    /**
     * Sets the codec of the operator's output, where it cannot be inferred or another is wanted.
     *
     * @param codec of the records.
     * @return this.
     */
    public Stream<T> codec(final Codec<T> codec) {
        operator("codec").codec(codec);
        return this;
    }

    private Step operator(final String setting) {
        if (step == null) {
            throw new IllegalStateException(setting + " belongs to an operator: a union or a side output is none");
        }
        return step;
    }

    private <R> Stream<R> add(final Transform transform) {
        return pipeline.add(transform, inputs);
    }
}
