package io.weir.engine.cli.export;

import io.weir.engine.api.Codec;
import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** All records that a log holds now. */
public final class LogRecords {
    private static final int BATCH = 1024;

    private LogRecords() {}

    /** Takes the bytes of records. */
    @FunctionalInterface
    interface Consumer {
        /** The bytes are valid during the call; throws {@link IllegalArgumentException} if they are no record. */
        void accept(DirectBuffer buffer, int offset, int length);
    }

    /**
     * Reads every partition from its start to its present end.
     *
     * @param log to read.
     * @param codec of the records; not a flyweight.
     * @param <T> type of the records.
     * @return the records.
     * @throws LogException if the log can't be read, or holds something else.
     */
    public static <T> List<T> read(final ReplayableLog log, final Codec<T> codec) {
        final List<T> records = new ArrayList<>();
        forEach(log, (buffer, offset, length) -> records.add(codec.decode(buffer, offset, length)));
        return records;
    }

    /**
     * Looks for a record.
     *
     * @param log to read.
     * @return whether no partition has one now.
     * @throws LogException if the log can't be read.
     */
    public static boolean isEmpty(final ReplayableLog log) {
        for (int partition = 0; partition < log.partitions().size(); partition++) {
            try (LogReader reader = log.open(partition, ReplayableLog.START)) {
                if (reader.poll((position, next, buffer, offset, length) -> false, 1) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    static void forEach(final ReplayableLog log, final Consumer consumer) {
        for (int partition = 0; partition < log.partitions().size(); partition++) {
            try (LogReader reader = log.open(partition, ReplayableLog.START)) {
                int count;
                do {
                    count = reader.poll(
                            (position, next, buffer, offset, length) -> {
                                try {
                                    consumer.accept(buffer, offset, length);
                                    return true;
                                } catch (final IllegalArgumentException e) {
                                    throw new LogException(reader.describe(position) + ": " + e.getMessage(), e);
                                }
                            },
                            BATCH);
                } while (count > 0);
            }
        }
    }
}
