package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.frame.FrameSlabs;
import io.weir.storage.frame.ScratchFileSlabs;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateException;
import io.weir.storage.state.ValueTable;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk without space: checkpoints fail, the state goes on in bounded memory, and the next checkpoint with space has it all. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullDiskTest {
    private static final int ATTEMPTS = 1_000;
    private static final int KEYS = 1_000;
    private static final StateDescriptor STATE = new StateDescriptor("uid/state", "bytes", "bytes");

    private final SimulatedFileStore files = new SimulatedFileStore(1);
    private final FolderSegments segments = new FolderSegments(files);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[40]);
    private long checkpointId;

    private void changeAll(final KeyedStateStore store, final long content) {
        for (int i = 0; i < KEYS; i++) {
            key.putLong(0, i);
            value.putLong(0, content * KEYS + i);
            store.valueTable(STATE).put(0, key, 0, 8, value, 0, 40);
        }
    }

    private void assertHolds(final KeyedStateStore store, final long content) {
        final ValueTable table = store.valueTable(STATE);
        assertEquals(KEYS, table.size());
        final UnsafeBuffer found = new UnsafeBuffer(0, 0);
        for (int i = 0; i < KEYS; i++) {
            key.putLong(0, i);
            assertTrue(table.get(0, key, 0, 8, found));
            assertEquals(content * KEYS + i, found.getLong(0));
        }
    }

    private void assertRestores(final List<SegmentHandle> chain, final long content) {
        try (KeyedStateStore restored = new PagesStateBackend().open(segments.context(1))) {
            restored.restoreShared(chain, 0, 1);
            assertHolds(restored, content);
        }
    }

    private static FrameSlabs slabs(final KeyedStateStore store) {
        return ((PageStateStore) store).pages().slabs();
    }

    private void failToWrite(final FrozenState frozen) {
        final SnapshotException e =
                assertThrows(SnapshotException.class, () -> FolderSegments.write(++checkpointId, frozen));
        assertTrue(e.getMessage().length() > 20, e.getMessage());
    }

    @Test
    void shouldKeepOneCopyOfAPageThroughHoursOfFailures() {
        // given
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            changeAll(store, 0);
            FolderSegments.write(++checkpointId, store.freeze());
            final long pages = slabs(store).used();
            files.capacity(files.usedBytes() + 10_000);

            // when
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                changeAll(store, attempt);
                failToWrite(store.freeze());
                store.doWork();
                assertTrue(slabs(store).used() <= 2 * pages, slabs(store).used() + " frames for " + pages);
            }

            // then
            assertTrue(slabs(store).total() <= 3 * pages, slabs(store).total() + " frames for " + pages);
            assertHolds(store, ATTEMPTS);
            files.capacity(Long.MAX_VALUE);
            assertRestores(FolderSegments.write(++checkpointId, store.freeze()), ATTEMPTS);
            assertEquals(0, ((PageStateStore) store).pages().snapshotsInFlight());
            assertEquals(pages, slabs(store).used());
        }
    }

    @Test
    void shouldBoundMemoryWhereFailuresOverlap() {
        // given a checkpoint that always begins before the one ahead of it has failed
        try (KeyedStateStore store = new PagesStateBackend().open(segments.context(1))) {
            changeAll(store, 0);
            FolderSegments.write(++checkpointId, store.freeze());
            final long pages = slabs(store).used();
            files.capacity(files.usedBytes() + 10_000);
            final ArrayDeque<FrozenState> underWay = new ArrayDeque<>();

            // when
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                changeAll(store, attempt);
                underWay.addLast(store.freeze());
                if (underWay.size() > 1) {
                    failToWrite(underWay.removeFirst());
                }
                store.doWork();
            }

            // then
            assertTrue(slabs(store).total() <= 10 * pages, slabs(store).total() + " frames for " + pages);
            files.capacity(Long.MAX_VALUE);
            underWay.forEach(FrozenState::close);
            assertRestores(FolderSegments.write(++checkpointId, store.freeze()), ATTEMPTS);
            assertEquals(0, ((PageStateStore) store).pages().snapshotsInFlight());
            assertEquals(pages, slabs(store).used());
        }
    }

    @Test
    void shouldGoOnWhereverTheDiskRunsFull() {
        // given
        try (KeyedStateStore store =
                new PagesStateBackend(new PagesSettings(null, 0.3, 0, 20)).open(segments.context(1))) {
            changeAll(store, 0);
            List<SegmentHandle> chain = FolderSegments.write(++checkpointId, store.freeze());
            int failures = 0;

            // when
            for (int attempt = 1; attempt <= 300; attempt++) {
                changeAll(store, attempt);
                files.capacity(files.usedBytes() + attempt * 997L % 200_000);
                try {
                    chain = FolderSegments.write(++checkpointId, store.freeze());
                    assertRestores(chain, attempt);
                } catch (final SnapshotException e) {
                    failures++;
                }
                files.capacity(Long.MAX_VALUE);
                deleteOthers(chain);
                if (attempt % 10 == 0) {
                    chain = FolderSegments.write(++checkpointId, store.freeze());
                    assertRestores(chain, attempt);
                }
            }

            // then
            assertTrue(failures > 30 && failures < 290, failures + " failures");
        }
    }

    /** As a checkpoint store does: files of the failed checkpoint too, unless a later chain may name them. */
    private void deleteOthers(final List<SegmentHandle> chain) {
        final List<String> needed = chain.stream().map(SegmentHandle::file).toList();
        for (final String file : files.list(Path.of("/"))) {
            final long createdFor = Long.parseLong(file.substring(0, file.indexOf('-')));
            final long completed = needed.stream()
                    .mapToLong(name -> Long.parseLong(name.substring(0, name.indexOf('-'))))
                    .max()
                    .orElse(0);
            if (!needed.contains(file) && createdFor <= completed) {
                files.delete(Path.of("/", file));
            }
        }
    }

    @Test
    void shouldSayThatAScratchFileHasNoSpace(@TempDir final Path folder) {
        // given space for the first slab
        final Path path = folder.resolve("scratch");
        final ScratchFileSlabs memory = new ScratchFileSlabs(new LimitedDisk(new DiskFileStore(), 100_000), path);
        try (PageStateStore store =
                new PageStateStore(segments.context(1), new PagesSettings(Path.of("/"), 1, 0, 20), memory)) {

            // when
            final StateException e = assertThrows(StateException.class, () -> {
                for (int i = 0; i < 100; i++) {
                    changeAll(store, i);
                    key.putLong(0, KEYS + i);
                    store.valueTable(STATE).put(0, key, 0, 8, new UnsafeBuffer(new byte[5000]), 0, 5000);
                }
            });

            // then
            assertTrue(e.getMessage().contains("scratch file " + path + " has no space"), e.getMessage());
        }
    }
}
