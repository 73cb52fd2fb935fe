package io.weir.storage.page;

import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.pagefile.PageSegmentReader;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.TimerTable;
import io.weir.storage.state.ValueTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small state of every kind of page, in a chain of several segments: short and long entries, chained pages, timers with short and
 * long keys.
 */
record SmallState(MemoryFileStore files, List<SegmentHandle> chain) {
    static final int KEY_GROUPS = 2;
    static final StateDescriptor VALUES = new StateDescriptor("uid/values", "bytes", "bytes");
    static final String TIMERS = "uid/timers";
    static final PagesStateBackend BACKEND = new PagesStateBackend(new PagesSettings(null, 100, 0, 1));

    private static final int KEYS = 60;
    private static final int[] LENGTHS = {0, 24, 700, 900, 900, 5000, 9000};

    static SmallState write() {
        final FolderSegments segments = new FolderSegments(new MemoryFileStore());
        try (KeyedStateStore store = BACKEND.open(segments.context(KEY_GROUPS))) {
            List<SegmentHandle> chain = List.of();
            for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
                for (int i = checkpoint; i <= KEYS; i += checkpoint) {
                    put(store, i, LENGTHS[(i + checkpoint) % LENGTHS.length]);
                    setTimer(store, i, checkpoint);
                }
                for (int i = 5; i < KEYS; i += 10 * checkpoint) {
                    final UnsafeBuffer key = key(i);
                    store.valueTable(VALUES).remove(i % KEY_GROUPS, key, 0, key.capacity());
                }
                chain = FolderSegments.write(checkpoint, store.freeze());
            }
            return new SmallState((MemoryFileStore) segments.files(), chain);
        }
    }

    static void put(final KeyedStateStore store, final int number, final int valueLength) {
        final UnsafeBuffer key = key(number);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[valueLength]);
        value.setMemory(0, valueLength, (byte) number);
        store.valueTable(VALUES).put(number % KEY_GROUPS, key, 0, key.capacity(), value, 0, valueLength);
    }

    static void setTimer(final KeyedStateStore store, final int number, final int time) {
        final UnsafeBuffer key = key(number);
        store.timerTable(TIMERS, "bytes").set(number % KEY_GROUPS, time, key, 0, key.capacity());
    }

    /** Each twentieth is too long for a page. */
    static UnsafeBuffer key(final int number) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[number % 20 == 0 ? 1500 : 8]);
        key.putLong(0, number * 0x9E37_79B9_7F4A_7C15L);
        return key;
    }

    /** Everything that a restored state answers: each key, all entries, all timers in order. */
    static String answers(final FileStore files, final List<SegmentHandle> chain) {
        final FolderSegments segments = new FolderSegments(files);
        try (KeyedStateStore store = BACKEND.open(segments.context(KEY_GROUPS))) {
            store.restoreShared(chain, 0, KEY_GROUPS);
            return answers(store);
        }
    }

    static String answers(final KeyedStateStore store) {
        final StringBuilder answers = new StringBuilder();
        final ValueTable values = store.valueTable(VALUES);
        final UnsafeBuffer value = new UnsafeBuffer(0, 0);
        for (int i = 0; i <= KEYS + 1; i++) {
            final UnsafeBuffer key = key(i);
            if (values.get(i % KEY_GROUPS, key, 0, key.capacity(), value)) {
                answers.append(i).append('=').append(digest(value)).append(' ');
            }
        }
        final long[] sum = new long[1];
        values.forEach((group, key, found) -> sum[0] += group + 31 * digest(key) + 17 * digest(found));
        answers.append("sum=").append(sum[0]).append(" size=").append(values.size());
        final TimerTable timers = store.timerTable(TIMERS, "bytes");
        answers.append(" timers=").append(timers.size());
        while (timers.pollDue(
                Long.MAX_VALUE - 1,
                (group, time, key) ->
                        answers.append(' ').append(time).append('/').append(digest(key)))) {}
        return answers.toString();
    }

    private static long digest(final DirectBuffer bytes) {
        return KeyBytes.hash(bytes, 0, bytes.capacity());
    }

    static PageChain open(final FileStore files, final List<SegmentHandle> chain) {
        return new PageChain(chain.stream()
                .map(segment -> PageSegmentReader.open(files, Path.of("/", segment.file()), segment))
                .toList());
    }

    static byte[] bytes(final FileStore files, final SegmentHandle segment) {
        try (OpenFile file = files.openReadOnly(Path.of("/", segment.file()))) {
            final ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    static void put(final FileStore files, final Path path, final byte[] bytes) {
        try (OpenFile file = files.create(path)) {
            file.write(0, ByteBuffer.wrap(bytes));
        }
    }
}
