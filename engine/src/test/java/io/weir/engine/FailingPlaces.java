package io.weir.engine;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.ListState;
import io.weir.engine.api.LongState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.TimeDomain;
import io.weir.engine.harness.ForwardingWriter;
import io.weir.storage.log.LogHandler;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.MutableDirectBuffer;

/**
 * User code of every kind that fails where a test has planned it, each time once. What runs with the records fails only when a
 * checkpoint has been committed, and the input ends only when everything planned has happened.
 */
final class FailingPlaces {
    /** Functions are copied by serialization, so they find it here. */
    private static final Map<Place, Supplier<Throwable>> PLANNED = new EnumMap<>(Place.class);

    private static long commits;

    private FailingPlaces() {}

    /** Where user code can fail. */
    enum Place {
        SOURCE_OPEN,
        SOURCE_POLL,
        SOURCE_SEEK,
        DECODE,
        FUNCTION_OPEN,
        FUNCTION_INITIALIZE,
        FUNCTION_RESTORE,
        FUNCTION,
        FUNCTION_SNAPSHOT,
        FUNCTION_CLOSE,
        KEY,
        ENCODE,
        KEYED_FUNCTION,
        TIMER,
        SINK_OPEN,
        SINK_RECOVER,
        SINK_APPEND,
        SINK_PREPARE,
        SINK_FORCE,
        SINK_COMMIT,
        SINK_CLOSE
    }

    static synchronized void plan(final Map<Place, Supplier<Throwable>> failures) {
        PLANNED.clear();
        PLANNED.putAll(failures);
        commits = 0;
    }

    static synchronized boolean haveAllHappened() {
        return PLANNED.isEmpty();
    }

    /** At the moments of a job's start and end. */
    static void at(final Place place) {
        final Supplier<Throwable> planned;
        synchronized (FailingPlaces.class) {
            planned = PLANNED.remove(place);
        }
        if (planned != null) {
            LangUtil.rethrowUnchecked(planned.get());
        }
    }

    /** While records flow. */
    private static void inFlight(final Place place) {
        if (isRestorable()) {
            at(place);
        }
    }

    private static synchronized boolean isRestorable() {
        return commits > 0;
    }

    private static synchronized void committed() {
        commits++;
    }

    /** Keeps the last record of each partition back until everything has happened. */
    record Source(MemoryLog log) implements ReplayableLog {
        @Override
        public String name() {
            return log.name();
        }

        @Override
        public List<String> partitions() {
            return log.partitions();
        }

        @Override
        public LogReader open(final int partition, final long position) {
            at(Place.SOURCE_OPEN);
            if (position != START) {
                at(Place.SOURCE_SEEK);
            }
            return new Reader(
                    log.open(partition, position), log.records(partition).size() - 1);
        }
    }

    private record Reader(LogReader reader, long last) implements LogReader {
        @Override
        public int poll(final LogHandler handler, final int limit) {
            inFlight(Place.SOURCE_POLL);
            final long here = reader.position();
            // Half of them waits for a checkpoint, so that there is something to restore; then they go slowly.
            final long most = isRestorable() ? last : last / 2;
            final int wanted = haveAllHappened() ? limit : (int) Math.min(most - here, Math.min(limit, 5));
            return wanted <= 0 ? 0 : reader.poll(handler, wanted);
        }

        @Override
        public long position() {
            return reader.position();
        }

        @Override
        public String describe(final long position) {
            return reader.describe(position);
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** Records of text, or of numbers. */
    static final class FailingCodec<T> implements Codec<T> {
        private final Codec<T> codec;

        FailingCodec(final Codec<T> codec) {
            this.codec = codec;
        }

        @Override
        public String signature() {
            return codec.signature();
        }

        @Override
        public int encode(final T value, final MutableDirectBuffer buffer, final int offset) {
            inFlight(Place.ENCODE);
            return codec.encode(value, buffer, offset);
        }

        @Override
        public T decode(final DirectBuffer buffer, final int offset, final int length) {
            inFlight(Place.DECODE);
            return codec.decode(buffer, offset, length);
        }

        @Override
        public Codec<T> forTask() {
            return new FailingCodec<>(codec.forTask());
        }
    }

    static Long key(final Long value) {
        inFlight(Place.KEY);
        return value % JobTest.KEYS;
    }

    /** Passes on what it gets, and counts it. */
    static final class Counting implements ProcessFunction<Long, Long>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        private transient ListState<Long> counts;
        private transient long count;

        @Override
        public void open() {
            at(Place.FUNCTION_OPEN);
        }

        @Override
        public void initialize(final OperatorStates states) {
            at(Place.FUNCTION_INITIALIZE);
            counts = states.list("counts", Codecs.longs());
            for (int i = 0; i < counts.size(); i++) {
                at(Place.FUNCTION_RESTORE);
                count += counts.get(i);
            }
        }

        @Override
        public void snapshot(final long checkpointId) {
            inFlight(Place.FUNCTION_SNAPSHOT);
            counts.update(List.of(count));
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            inFlight(Place.FUNCTION);
            count++;
            out.collect(value);
        }

        @Override
        public void close() {
            at(Place.FUNCTION_CLOSE);
        }
    }

    /** Numbers the records of each key, as {@link JobTest.Count} does; timers do nothing but fail. */
    static final class Numbering implements KeyedProcessFunction<Long, Long, String> {
        private static final long serialVersionUID = 1L;

        private transient LongState count;

        @Override
        public void open(final KeyedStates states) {
            count = states.longState("count");
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<String> out)
                throws Exception {
            inFlight(Place.KEYED_FUNCTION);
            count.set(count.get(0) + 1);
            context.setProcessingTimer(value);
            out.collect(context.key() + ":" + count.get(0));
        }

        @Override
        public void onTimer(
                final long timeNs,
                final TimeDomain domain,
                final KeyedProcessContext<Long> context,
                final Collector<String> out) {
            inFlight(Place.TIMER);
        }
    }

    record Output(MemoryLog log) implements TransactionalLog {
        @Override
        public String name() {
            return log.name();
        }

        @Override
        public TransactionalWriter open(final String writerId, final long attempt) {
            at(Place.SINK_OPEN);
            return new Writer(log.open(writerId, attempt));
        }
    }

    private static final class Writer extends ForwardingWriter {
        Writer(final TransactionalWriter writer) {
            super(writer);
        }

        @Override
        public void recover(final List<byte[]> prepared) {
            inFlight(Place.SINK_RECOVER);
            super.recover(prepared);
        }

        @Override
        public void append(final DirectBuffer buffer, final int offset, final int length) {
            inFlight(Place.SINK_APPEND);
            super.append(buffer, offset, length);
        }

        @Override
        public byte[] prepare(final long checkpointId) {
            inFlight(Place.SINK_PREPARE);
            return super.prepare(checkpointId);
        }

        @Override
        public void force(final byte[] handle) {
            inFlight(Place.SINK_FORCE);
            super.force(handle);
        }

        @Override
        public void commit(final byte[] handle) {
            inFlight(Place.SINK_COMMIT);
            super.commit(handle);
            committed();
        }

        @Override
        public void close() {
            at(Place.SINK_CLOSE);
            super.close();
        }
    }
}
