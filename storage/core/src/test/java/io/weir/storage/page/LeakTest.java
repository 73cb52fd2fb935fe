package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.FileStore;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.frame.FrameSlabs;
import io.weir.storage.pagefile.CountingFileStore;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.ValueTable;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of checkpoints, some given up, some on a disk that fails: memory and open files stay what they were. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeakTest {
    private static final int CHECKPOINTS = Integer.getInteger("weir.test.checkpoints", 10_000);
    private static final int WARM_UP = 300;
    private static final int KEYS = 2_000;
    private static final int KEY_GROUPS = 4;
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "bytes", "bytes");

    private final CountingFileStore files = new CountingFileStore(new MemoryFileStore());
    private final FolderSegments folder = new FolderSegments(files);
    private final Random random = new Random(44_001);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
    private List<SegmentHandle> chain = List.of();
    private boolean fails;

    private final SharedSegments segments = new SharedSegments() {
        @Override
        public FileStore files() {
            return files;
        }

        @Override
        public Location create(final long checkpointId, final String suffix) {
            if (fails) {
                throw new SnapshotException("the disk fails as it was told");
            }
            return folder.create(checkpointId, suffix);
        }

        @Override
        public Location createOwn(final long checkpointId, final String suffix) {
            return folder.createOwn(checkpointId, suffix);
        }

        @Override
        public Path path(final SegmentHandle handle) {
            return folder.path(handle);
        }
    };

    @Test
    void shouldHoldNoMoreAfterThousandsOfCheckpoints() {
        // given
        final long memoryBefore = directMemory();
        try (KeyedStateStore store =
                new PagesStateBackend().open(new StoreContext(KEY_GROUPS, 0, KEY_GROUPS, segments))) {
            for (int i = 0; i < KEYS; i++) {
                put(store.valueTable(STATE), i);
            }
            long total = 0;

            // when
            for (int checkpoint = 1; checkpoint <= CHECKPOINTS; checkpoint++) {
                for (int i = random.nextInt(30); i >= 0; i--) {
                    put(store.valueTable(STATE), random.nextInt(KEYS));
                }
                checkpoint(store, checkpoint);
                if (checkpoint == WARM_UP / 2) {
                    giveUpAll(store);
                }
                if (checkpoint == WARM_UP) {
                    total = slabs(store).total();
                }
            }

            // then
            FolderSegments.write(CHECKPOINTS + 1, store.freeze());
            assertEquals(0, ((PageStateStore) store).pages().snapshotsInFlight());
            assertEquals(total, slabs(store).total(), "frames ever cut");
            assertEquals(pagesOfChain(), slabs(store).used(), "frames in use");
            assertEquals(0, files.open(), "open files and mappings");
        }
        restore();
        awaitNothingOpen();
        assertTrue(directMemory() <= memoryBefore, memoryBefore + " -> " + directMemory());
    }

    /** The thread that reads a restored checkpoint ahead lets its files go when it ends, soon after the store is closed. */
    private void awaitNothingOpen() {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (files.open() > 0) {
            assertTrue(System.nanoTime() < deadline, () -> files.open() + " open files and mappings after a minute");
            Thread.onSpinWait();
        }
    }

    private static FrameSlabs slabs(final KeyedStateStore store) {
        return ((PageStateStore) store).pages().slabs();
    }

    private void put(final ValueTable table, final int number) {
        key.putLong(0, number);
        value.putLong(0, random.nextLong());
        table.put(number % KEY_GROUPS, key, 0, 8, value, 0, 40);
    }

    /** Two copies of every page: there are never more. */
    private void giveUpAll(final KeyedStateStore store) {
        for (int i = 0; i < KEYS; i++) {
            put(store.valueTable(STATE), i);
        }
        store.freeze().close();
        for (int i = 0; i < KEYS; i++) {
            put(store.valueTable(STATE), i);
        }
    }

    private void checkpoint(final KeyedStateStore store, final long checkpointId) {
        final int fate = random.nextInt(10);
        if (fate == 0) {
            store.freeze().close();
        } else if (fate == 1) {
            fails = true;
            assertThrows(SnapshotException.class, () -> FolderSegments.write(checkpointId, store.freeze()));
            fails = false;
        } else {
            chain = FolderSegments.write(checkpointId, store.freeze());
            deleteOthers();
        }
        if (fate == 2) {
            store.doWork();
        }
    }

    /** Nobody opens again what was merged away. */
    private void deleteOthers() {
        final List<String> needed = chain.stream().map(SegmentHandle::file).toList();
        for (final String file : files.list(Path.of("/"))) {
            if (!needed.contains(file)) {
                files.delete(Path.of("/", file));
            }
        }
    }

    private long pagesOfChain() {
        long pages = 0;
        try (PageChain opened = SmallState.open(files, chain)) {
            for (int group = 0; group < KEY_GROUPS; group++) {
                pages += opened.image(TableName.of(STATE).section(), group).pages();
            }
        }
        return pages;
    }

    private void restore() {
        try (KeyedStateStore restored = new PagesStateBackend().open(folder.context(KEY_GROUPS))) {
            restored.restoreShared(chain, 0, KEY_GROUPS);
            assertEquals(KEYS, restored.valueTable(STATE).size());
            assertTrue(files.open() > 0);
        }
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> "direct".equals(pool.getName()))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
