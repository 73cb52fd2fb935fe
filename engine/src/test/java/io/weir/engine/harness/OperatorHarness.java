package io.weir.engine.harness;

import io.weir.engine.operator.Counter;
import io.weir.engine.operator.IoAction;
import io.weir.engine.operator.Operator;
import io.weir.engine.operator.OperatorSnapshot;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.TwoInputOperator;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.SegmentFiles;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StoreContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Runs one operator as a task would, on one thread. {@link #restoringAlways} takes a snapshot after every step and goes on with
 * a new operator restored from it, also in the middle of what a blocked output has interrupted; {@link #slots} bounds what the
 * output takes before it blocks.
 */
public final class OperatorHarness<T> implements AutoCloseable {
    static final int MAX_PARALLELISM = 128;

    private final Supplier<? extends Operator<T>> factory;
    private final MemoryFileStore files = new MemoryFileStore();
    private final SharedSegments shared =
            new MemoryCheckpointStorage().open("harness").shared("operator");
    private final HarnessOutput output;
    private final UnaryOperator<Object> copy;
    private final Map<String, HarnessOutput> sideOutputs = new HashMap<>();
    private final Map<String, Long> counts = new HashMap<>();
    private Receiver<?> next;
    private HarnessPartitions partitions;
    private boolean restoringAlways;
    private int subtask;
    private int parallelism = 1;
    private long attempt;
    private long checkpointId;
    private long nowNs;
    private long watermarkNs = Long.MIN_VALUE;
    private Operator<T> operator;
    private HarnessContext context;
    private KeyedStateStore store;

    /** A harness that makes its operators so. */
    public OperatorHarness(final Supplier<? extends Operator<T>> factory) {
        this(factory, value -> value);
    }

    /** A harness that makes its operators so, and keeps what they emit as such copies. */
    public OperatorHarness(final Supplier<? extends Operator<T>> factory, final UnaryOperator<Object> copy) {
        this.factory = factory;
        this.copy = copy;
        this.output = new HarnessOutput(copy);
        this.next = output;
    }

    /** Sends the main output to another receiver instead of keeping it. */
    public OperatorHarness<T> output(final Receiver<?> receiver) {
        next = receiver;
        return this;
    }

    /** Restores after every step. */
    public OperatorHarness<T> restoringAlways() {
        restoringAlways = true;
        return this;
    }

    /** Blocks the output after so many records. */
    public OperatorHarness<T> slots(final int slots) {
        output.slots(slots);
        return this;
    }

    /** Puts the operator behind a source. */
    public OperatorHarness<T> partitions(final HarnessPartitions sourcePartitions) {
        partitions = sourcePartitions;
        return this;
    }

    /** Makes it one of several subtasks. */
    public OperatorHarness<T> subtask(final int index, final int of) {
        subtask = index;
        parallelism = of;
        return this;
    }

    /** Sets the time without telling the operator. */
    public OperatorHarness<T> at(final long newNowNs) {
        nowNs = newNowNs;
        return this;
    }

    /** Opens the operator without a snapshot. */
    public OperatorHarness<T> open() throws Exception {
        open(null);
        return this;
    }

    /** Opens the operator from a snapshot. */
    public OperatorHarness<T> open(final Snapshot snapshot) throws Exception {
        return openAll(snapshot == null ? List.of() : List.of(snapshot));
    }

    /** Opens the operator from the snapshots of all subtasks, of which it takes the key groups that it owns. */
    public OperatorHarness<T> openAll(final List<Snapshot> snapshots) throws Exception {
        attempt++;
        store = new PagesStateBackend()
                .open(new StoreContext(
                        MAX_PARALLELISM,
                        KeyGroups.first(subtask, MAX_PARALLELISM, parallelism),
                        KeyGroups.first(subtask + 1, MAX_PARALLELISM, parallelism),
                        shared));
        for (final Snapshot snapshot : snapshots) {
            try (SegmentReader reader = SegmentFiles.open(snapshot.files, snapshot.path, snapshot.segment)) {
                store.restore(reader);
            }
        }
        watermarkNs = snapshots.stream()
                .mapToLong(snapshot -> snapshot.watermarkNs)
                .min()
                .orElse(Long.MIN_VALUE);
        context = new HarnessContext(this, store, snapshots, watermarkNs);
        operator = factory.get();
        operator.open(context);
        if (watermarkNs != Long.MIN_VALUE) {
            operator.watermark(watermarkNs);
        }
        return this;
    }

    /** Hands a record to the operator. */
    public void receive(final T value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
        operator.receive(value, timestampNs, sourceWatermarkNs);
        settle();
    }

    /** Hands a record to the second input of the operator. */
    @SuppressWarnings("unchecked") // The test knows its operator.
    public <B> void receiveSecond(final B value, final long timestampNs, final long sourceWatermarkNs)
            throws Exception {
        ((TwoInputOperator<T, B>) operator).receiveSecond(value, timestampNs, sourceWatermarkNs);
        settle();
    }

    /** Hands a watermark to the operator. */
    public void watermark(final long newWatermarkNs) throws Exception {
        watermarkNs = newWatermarkNs;
        operator.watermark(newWatermarkNs);
        settle();
    }

    /** Says that the input is idle. */
    public void idle() {
        operator.idle();
    }

    /** Ends a batch. */
    public void batchEnd(final long newNowNs) throws Exception {
        nowNs = newNowNs;
        operator.batchEnd(newNowNs);
        settle();
    }

    /** Goes on in processing time, until nothing is due any more. */
    public void processingTime(final long newNowNs) throws Exception {
        nowNs = newNowNs;
        int before;
        do {
            output.drain();
            before = output.records().size();
            operator.processingTime(newNowNs);
            settle();
        } while (output.records().size() > before);
    }

    /** Goes on until the operator has done what it had put off. */
    private void settle() throws Exception {
        do {
            if (restoringAlways) {
                restore();
            }
            output.drain();
        } while (!operator.resume());
        output.drain();
    }

    /** Takes a snapshot and runs what must happen before it is acknowledged. */
    public Snapshot snapshot() throws Exception {
        final Snapshot snapshot = cut();
        for (final IoAction action : snapshot.beforeAcknowledge) {
            action.run();
        }
        return snapshot;
    }

    /** Takes a snapshot and nothing more: the checkpoint may yet be declined. */
    public Snapshot cut() throws Exception {
        final Snapshot snapshot = new Snapshot(++checkpointId, this);
        operator.beforeBarrier(checkpointId);
        operator.snapshot(snapshot);
        try (FrozenState frozen = store.freeze(nowNs);
                SegmentWriter writer = SegmentFiles.create(files, snapshot.path, snapshot.path.toString())) {
            frozen.writeCanonical(checkpointId, writer);
            snapshot.segment = writer.finish();
        }
        return snapshot;
    }

    /** Says that a checkpoint has completed, and runs what follows on the I/O thread. */
    public void complete(final long completedId) throws Exception {
        operator.checkpointComplete(completedId);
        context.runActions();
    }

    /** Says that a checkpoint has completed; {@link #runActions} does the I/O. */
    public void completeWithoutIo(final long completedId) throws Exception {
        operator.checkpointComplete(completedId);
    }

    /** Runs what was handed to the I/O thread. */
    public void runActions() throws Exception {
        context.runActions();
    }

    /** Says that a checkpoint was given up. */
    public void abort(final long abortedId) {
        operator.checkpointAborted(abortedId);
    }

    /** Snapshots and goes on with a new operator. */
    public void restore() throws Exception {
        final Snapshot snapshot = snapshot();
        fail();
        open(snapshot);
    }

    /** Ends the operator as a failure would. */
    public void fail() {
        operator.close();
        store.close();
    }

    /** The operator as it is now. */
    public Operator<T> operator() {
        return operator;
    }

    /** What it emitted. */
    public HarnessOutput output() {
        return output;
    }

    /** What it emitted to a side output. */
    public HarnessOutput sideOutput(final String tag) {
        return sideOutputs.computeIfAbsent(tag, name -> new HarnessOutput(copy));
    }

    /** A counter, summed over restores. */
    public long count(final String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** Entries of keyed state and timers. */
    public long entryCount() {
        return store.entryCount();
    }

    @Override
    public void close() {
        fail();
    }

    Receiver<?> next() {
        return next;
    }

    int subtask() {
        return subtask;
    }

    int parallelism() {
        return parallelism;
    }

    long attempt() {
        return attempt;
    }

    long nowNs() {
        return nowNs;
    }

    HarnessPartitions partitions() {
        return partitions;
    }

    Counter newCounter(final String name) {
        return new Counter() {
            @Override
            public void add(final long delta) {
                counts.merge(name, delta, Long::sum);
            }

            @Override
            public long get() {
                return count(name);
            }
        };
    }

    /** One snapshot of the operator. */
    public static final class Snapshot implements OperatorSnapshot {
        private final long checkpointId;
        private final long watermarkNs;
        private final int subtask;
        private final int parallelism;
        private final MemoryFileStore files;
        private final Path path;
        private final Map<String, List<byte[]>> listState = new HashMap<>();
        private final Map<String, List<byte[]>> broadcastState = new HashMap<>();
        private final List<IoAction> beforeAcknowledge = new ArrayList<>();
        private SegmentHandle segment;

        Snapshot(final long checkpointId, final OperatorHarness<?> of) {
            this.checkpointId = checkpointId;
            watermarkNs = of.watermarkNs;
            subtask = of.subtask;
            parallelism = of.parallelism;
            files = of.files;
            path = Path.of("/segment-" + checkpointId);
        }

        int subtask() {
            return subtask;
        }

        int parallelism() {
            return parallelism;
        }

        @Override
        public long checkpointId() {
            return checkpointId;
        }

        @Override
        public void listState(final String name, final List<byte[]> elements) {
            listState.put(name, List.copyOf(elements));
        }

        @Override
        public void broadcastState(final String name, final List<byte[]> elements) {
            broadcastState.put(name, List.copyOf(elements));
        }

        /** What was given as broadcast state. */
        public List<byte[]> broadcastState(final String name) {
            return broadcastState.getOrDefault(name, List.of());
        }

        /** What was given as list state. */
        public List<byte[]> listState(final String name) {
            return listState.getOrDefault(name, List.of());
        }

        @Override
        public void beforeAcknowledge(final IoAction action) {
            beforeAcknowledge.add(action);
        }

        /** What must happen before the snapshot is acknowledged. */
        public List<IoAction> beforeAcknowledge() {
            return beforeAcknowledge;
        }
    }
}
