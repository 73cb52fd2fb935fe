package io.weir.storage.inspect;

import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.FileStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StoreContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A job that counts words: its checkpoints hold a state {@code count/state.sum} from string to long, timers {@code count/timers},
 * a list of the operator, and what it should hold is known.
 */
public final class InspectedJob implements AutoCloseable {
    /** The state's name. */
    public static final String STATE = "count/state.sum";

    /** The timers' name. */
    public static final String TIMERS = "count/timers";

    /** Key groups of the job. */
    public static final int MAX_PARALLELISM = 32;

    private final CheckpointStore store;
    private final StateBackend backend;
    private final Map<String, Long> sums = new TreeMap<>();
    private final List<KeyedStateStore> tasks = new ArrayList<>();
    private Manifest last;
    private long checkpointId;

    /**
     * A job without state.
     *
     * @param files the disk.
     * @param folder for the checkpoints of jobs; the job's is {@code words} in it.
     * @param backend keeps its state.
     * @param parallelism of the job.
     */
    public InspectedJob(final FileStore files, final Path folder, final StateBackend backend, final int parallelism) {
        this.store = new FileCheckpointStorage(files, folder).open("words");
        this.backend = backend;
        open(parallelism);
    }

    private void open(final int parallelism) {
        for (int task = 0; task < parallelism; task++) {
            tasks.add(backend.open(new StoreContext(
                    MAX_PARALLELISM,
                    KeyGroups.first(task, MAX_PARALLELISM, parallelism),
                    KeyGroups.first(task + 1, MAX_PARALLELISM, parallelism),
                    store.shared("count-" + task + "-of-" + parallelism))));
        }
    }

    /** Goes on from the last checkpoint with another parallelism. */
    public void rescale(final int parallelism) {
        tasks.forEach(KeyedStateStore::close);
        tasks.clear();
        open(parallelism);
        for (final KeyedStateStore task : tasks) {
            for (final Manifest.TaskPart part : last.tasks()) {
                task.restoreShared(
                        part.shared(),
                        KeyGroups.first(part.subtask(), MAX_PARALLELISM, part.parallelism()),
                        KeyGroups.first(part.subtask() + 1, MAX_PARALLELISM, part.parallelism()));
                try (SegmentReader segment = store.openSegment(part.segment())) {
                    task.restore(segment);
                }
            }
        }
    }

    /** Sets the sum of a word, and a timer. */
    public void put(final String word, final long sum) {
        final UnsafeBuffer key = new UnsafeBuffer(word.getBytes(StandardCharsets.UTF_8));
        final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
        value.putLong(0, sum, java.nio.ByteOrder.LITTLE_ENDIAN);
        final int keyGroup = keyGroup(key);
        final KeyedStateStore task = tasks.get(KeyGroups.owner(keyGroup, MAX_PARALLELISM, tasks.size()));
        task.valueTable(new StateDescriptor(STATE, "string", "long"))
                .put(keyGroup, key, 0, key.capacity(), value, 0, Long.BYTES);
        task.timerTable(TIMERS, "string").set(keyGroup, sum, key, 0, key.capacity());
        sums.put(word, sum);
    }

    /** The key group of a key. */
    public static int keyGroup(final DirectBuffer key) {
        return KeyGroups.ofHash(KeyGroups.hash(key, 0, key.capacity()), MAX_PARALLELISM);
    }

    /** Takes a checkpoint and returns its id. */
    public long checkpoint() {
        final long id = ++checkpointId;
        final List<Manifest.TaskPart> parts = new ArrayList<>();
        for (int task = 0; task < tasks.size(); task++) {
            final List<SegmentHandle> shared;
            final SegmentHandle own;
            try (FrozenState frozen = tasks.get(task).freeze();
                    SegmentWriter writer = store.createSegment(id, "count-" + task)) {
                shared = frozen.writeTo(id, writer);
                writer.beginSection("operator/count/seen", "list");
                writer.entry(-1, new UnsafeBuffer(new byte[] {1, 2, 3}), 0, 3);
                own = writer.finish();
            }
            parts.add(new Manifest.TaskPart("count", List.of("count"), task, tasks.size(), false, own, shared));
        }
        last = new Manifest("words", id, 1, 1_600_000_000_000L + id, MAX_PARALLELISM, backend.name(), parts);
        store.publish(last);
        return id;
    }

    /** The last checkpoint. */
    public Manifest last() {
        return last;
    }

    /** The job's store. */
    public CheckpointStore store() {
        return store;
    }

    /** What the state holds. */
    public Map<String, Long> sums() {
        return sums;
    }

    @Override
    public void close() {
        tasks.forEach(KeyedStateStore::close);
        store.close();
    }
}
