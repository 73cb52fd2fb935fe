package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.ValueTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task thread that goes on changing its state while an I/O thread writes it, gives it up, and reads back what it wrote. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FlushStressTest {
    private static final int CHECKPOINTS = Integer.getInteger("weir.test.checkpoints", 600);
    private static final int KEYS = 700;
    private static final int KEY_GROUPS = 4;
    private static final long SEED = Long.getLong("weir.test.seed", 66_001);
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "bytes", "bytes");

    /** A snapshot, and a sum over all entries at its freeze. */
    private record Cut(long checkpointId, FrozenState frozen, long checksum, int entries) {}

    private final FolderSegments segments = new FolderSegments(new MemoryFileStore());
    private final BlockingQueue<Cut> cuts = new ArrayBlockingQueue<>(2);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private int written;
    private int refused;

    @Test
    void shouldWriteWhatTheStateWasAtEachFreeze() throws InterruptedException {
        // given
        final Thread flusher = new Thread(this::flushAll, "flusher");
        flusher.start();

        // when
        try (KeyedStateStore store =
                new PagesStateBackend(new PagesSettings(null, 1, 0, 20)).open(segments.context(KEY_GROUPS))) {
            change(store);
        } finally {
            put(new Cut(0, null, 0, 0));
            flusher.join(TimeUnit.SECONDS.toMillis(60));
        }

        // then
        if (failure.get() != null) {
            throw new AssertionError("seed " + SEED + ": " + failure.get(), failure.get());
        }
        assertTrue(!flusher.isAlive(), "the flusher hangs");
        assertTrue(refused < written, () -> refused + " refused, " + written + " written");
    }

    private void put(final Cut cut) throws InterruptedException {
        while (!cuts.offer(cut, 1, TimeUnit.SECONDS)) {
            if (failure.get() != null) {
                return;
            }
        }
    }

    private void change(final KeyedStateStore store) throws InterruptedException {
        final Random random = new Random(SEED);
        final Map<Integer, Long> digests = new HashMap<>();
        final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[10_000]);
        final ValueTable table = store.valueTable(STATE);
        long checksum = 0;
        for (long checkpoint = 1; checkpoint <= CHECKPOINTS && failure.get() == null; checkpoint++) {
            for (int i = random.nextInt(400); i > 0; i--) {
                final int number = random.nextInt(KEYS);
                key.putLong(0, number);
                final int group = number % KEY_GROUPS;
                final Long old = digests.remove(number);
                checksum -= old == null ? 0 : old;
                if (random.nextInt(5) == 0) {
                    assertEquals(old != null, table.remove(group, key, 0, 8));
                } else {
                    final int length = random.nextInt(random.nextInt(50) == 0 ? 10_000 : 120);
                    for (int at = 0; at < length; at += 8) {
                        value.putLong(at, random.nextLong());
                    }
                    table.put(group, key, 0, 8, value, 0, length);
                    final long digest = digest(key, 8, value, length);
                    digests.put(number, digest);
                    checksum += digest;
                }
                if (i % 16 == 0) {
                    store.doWork();
                }
            }
            put(new Cut(checkpoint, store.freeze(), checksum, digests.size()));
        }
    }

    private static long digest(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength) {
        return KeyBytes.hash(key, 0, keyLength) * 31 + KeyBytes.hash(value, 0, valueLength);
    }

    private void flushAll() {
        try {
            final Random random = new Random(SEED + 1);
            for (Cut cut = cuts.take(); cut.frozen() != null; cut = cuts.take()) {
                if (random.nextInt(5) == 0) {
                    cut.frozen().close();
                    continue;
                }
                final List<SegmentHandle> chain;
                try {
                    chain = FolderSegments.write(cut.checkpointId(), cut.frozen());
                } catch (final SnapshotException e) {
                    // Too many before it were given up while others were under way.
                    refused++;
                    cut.frozen().close();
                    continue;
                }
                written++;
                if (random.nextInt(4) == 0) {
                    check(cut, chain);
                }
            }
        } catch (final Throwable e) {
            failure.set(e);
        }
    }

    private void check(final Cut cut, final List<SegmentHandle> chain) {
        try (KeyedStateStore restored = new PagesStateBackend().open(segments.context(KEY_GROUPS))) {
            restored.restoreShared(chain, 0, KEY_GROUPS);
            final long[] found = new long[2];
            restored.valueTable(STATE).forEach((group, key, value) -> {
                found[0] += digest(key, key.capacity(), value, value.capacity());
                found[1]++;
            });
            assertEquals(cut.entries(), found[1], "checkpoint " + cut.checkpointId());
            assertEquals(cut.checksum(), found[0], "checkpoint " + cut.checkpointId());
        }
    }
}
