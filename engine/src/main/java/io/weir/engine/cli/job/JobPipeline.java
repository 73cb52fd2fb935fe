package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Stream;
import io.weir.engine.api.Tumbling;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Builds the pipeline of a job: read, give event time with one watermark per source, drop repeats if asked, group by source and
 * key, aggregate in tumbling windows, write windows and late rows exactly once.
 */
public final class JobPipeline {
    private JobPipeline() {}

    /**
     * What a job reads.
     *
     * @param log of the records: a partition for each source.
     * @param codec of the records in the log.
     * @param onBadRecord what to do with bytes that are no record.
     * @param <T> type of the records.
     */
    public record Input<T extends Row>(ReplayableLog log, Codec<T> codec, OnBadRecord onBadRecord) {}

    /**
     * What a job writes.
     *
     * @param windows takes the results.
     * @param late takes the records that came too late.
     */
    public record Output(TransactionalLog windows, TransactionalLog late) {}

    /**
     * Builds the pipeline.
     *
     * @param kind of the job.
     * @param spec of the job; with a dedup column the input's records must have ids.
     * @param input what it reads.
     * @param output what it writes.
     * @param <T> type of the records.
     * @param <A> type of the accumulator.
     * @param <W> type of the windows.
     * @return the pipeline, ready to run; of one subtask per step, if it is not told another number.
     */
    public static <T extends Row, A, W extends Window> Pipeline of(
            final JobKind<T, A, W> kind, final JobSpec spec, final Input<T> input, final Output output) {
        final Pipeline pipeline = Pipeline.named(kind.name());
        final Stream<T> timed = pipeline.read(input.log(), input.codec(), input.onBadRecord())
                .uid("rows")
                .eventTime(Row::eventNs, TimeUnit.NANOSECONDS, Duration.ofNanos(spec.latenessNs()))
                .uid("event-time")
                .codec(kind.rowCodec());
        final Stream<T> rows = spec.dedup() == null ? timed : withoutRepeats(timed, kind);
        final OutputTag<T> tooLate = OutputTag.of("late", kind.rowCodec());
        final Stream<W> windows = rows.keyBy(row -> new SourceKey(row.source(), row.key()))
                .window(new Tumbling(spec.windowNs(), 0))
                .lateTo(tooLate)
                .aggregate(kind.aggregate(), kind.accumulatorCodec())
                .uid("windows")
                .codec(kind.windowCodec());
        windows.write(output.windows(), kind.windowCodec(), Delivery.EXACTLY_ONCE)
                .uid("write-windows");
        final long windowNs = spec.windowNs();
        windows.sideOutput(tooLate)
                .map(row -> LateRow.of(row, windowNs))
                .uid("late-rows")
                .codec(LateRow.codec())
                .write(output.late(), LateRow.codec(), Delivery.EXACTLY_ONCE)
                .uid("write-late-rows");
        return pipeline;
    }

    private static <T extends Row> Stream<T> withoutRepeats(final Stream<T> rows, final JobKind<T, ?, ?> kind) {
        return rows.keyBy(row -> new SourceKey(row.source(), row.id()))
                .distinct()
                .uid("distinct")
                .codec(kind.rowCodec());
    }
}
