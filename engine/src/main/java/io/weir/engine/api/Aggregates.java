package io.weir.engine.api;

import java.io.Serializable;
import java.util.Objects;

/** The common aggregates of a window. Each keeps one number per key and window, and allocates nothing per record. */
public final class Aggregates {
    private Aggregates() {}

    /**
     * How many records there are.
     *
     * @param <T> type of the records.
     * @return the aggregate.
     */
    public static <T> AggregateFunction<T, LongCell, Long> count() {
        return new Fold<>(0, record -> 1, Math::addExact);
    }

    /**
     * The sum of a number of each record. A sum beyond 64 bits fails the job.
     *
     * @param number of a record.
     * @param <T> type of the records.
     * @return the aggregate.
     */
    public static <T> AggregateFunction<T, LongCell, Long> sum(final ToLongFunction<? super T> number) {
        return new Fold<>(0, number, Math::addExact);
    }

    /**
     * The least number of a record.
     *
     * @param number of a record.
     * @param <T> type of the records.
     * @return the aggregate.
     */
    public static <T> AggregateFunction<T, LongCell, Long> min(final ToLongFunction<? super T> number) {
        return new Fold<>(Long.MAX_VALUE, number, Math::min);
    }

    /**
     * The greatest number of a record.
     *
     * @param number of a record.
     * @param <T> type of the records.
     * @return the aggregate.
     */
    public static <T> AggregateFunction<T, LongCell, Long> max(final ToLongFunction<? super T> number) {
        return new Fold<>(Long.MIN_VALUE, number, Math::max);
    }

    /** Joins two numbers. */
    @FunctionalInterface
    private interface Join extends Serializable {
        long apply(long left, long right);
    }

    private static final class Fold<T> implements AggregateFunction<T, LongCell, Long> {
        private static final long serialVersionUID = 1L;

        private final long initial;
        private final ToLongFunction<? super T> number;
        private final Join join;

        Fold(final long initial, final ToLongFunction<? super T> number, final Join join) {
            this.initial = initial;
            this.number = Objects.requireNonNull(number, "number");
            this.join = join;
        }

        @Override
        public LongCell create() {
            return new LongCell().set(initial);
        }

        @Override
        public LongCell add(final LongCell accumulator, final T value) throws Exception {
            return accumulator.set(join.apply(accumulator.get(), number.applyAsLong(value)));
        }

        @Override
        public Long result(final LongCell accumulator, final TimeWindow window) {
            return accumulator.get();
        }
    }
}
