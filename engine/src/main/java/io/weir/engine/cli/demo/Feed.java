package io.weir.engine.cli.demo;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.export.LogRecords;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.Tick;
import io.weir.storage.log.CsvLog;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The records of a feed, and when each is due at a fixed rate: the schedule does not wait for anybody. */
final class Feed {
    /** No record of the feed closes the window. */
    static final int NONE = -1;

    private final List<Tick> ticks;
    private final long[] greatestEventNs;
    private final double recordsPerSecond;

    Feed(final List<Tick> ticks, final double recordsPerSecond) {
        this.ticks = ticks;
        this.recordsPerSecond = recordsPerSecond;
        greatestEventNs = new long[ticks.size()];
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < greatestEventNs.length; i++) {
            greatest = Math.max(greatest, ticks.get(i).eventNs());
            greatestEventNs[i] = greatest;
        }
    }

    /** Reads a feed of one source. */
    static Feed load(final Path csv, final Path scratch, final String idColumn, final double recordsPerSecond) {
        try (CsvLog log = CsvLog.at(csv).inflatedIn(scratch)) {
            final Codec<Tick> codec = JobKind.OHLC.csvCodec(log.header(), idColumn);
            return new Feed(LogRecords.read(log, codec), recordsPerSecond);
        }
    }

    int size() {
        return ticks.size();
    }

    Tick tick(final int index) {
        return ticks.get(index);
    }

    /** When a record is due, after the start of the feed. */
    long dueNs(final int index) {
        return (long) (index / recordsPerSecond * TimeUnit.SECONDS.toNanos(1));
    }

    /** The record that brings the watermark to the end of a window, or {@link #NONE}. */
    int closingIndex(final long windowEndNs, final long latenessNs) {
        final long wanted = windowEndNs + latenessNs;
        int at = Arrays.binarySearch(greatestEventNs, wanted);
        if (at < 0) {
            at = -at - 1;
        }
        while (at > 0 && greatestEventNs[at - 1] >= wanted) {
            at--;
        }
        return at < greatestEventNs.length ? at : NONE;
    }
}
