package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StoreContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A native savepoint of pages, adopted. */
final class PagesAdoptionTest {
    private static final int GROUPS = SmallState.KEY_GROUPS;

    @TempDir
    private Path parent;

    private CheckpointStore open(final String job) {
        return new FileCheckpointStorage(parent.resolve("checkpoints")).open(job);
    }

    private KeyedStateStore state(final CheckpointStore store) {
        return SmallState.BACKEND.open(new StoreContext(GROUPS, 0, GROUPS, store.shared("task")));
    }

    /** Takes a native savepoint and gives its folder. */
    private Path takeSavepoint(final CheckpointStore store, final KeyedStateStore state, final long id) {
        return takeSavepoint(store, state, id, "from");
    }

    private Path takeSavepoint(
            final CheckpointStore store, final KeyedStateStore state, final long id, final String job) {
        final Path folder = store.beginSavepoint(id, parent);
        try (FrozenState frozen = state.freeze();
                SegmentWriter own = store.createSegment(id, "task")) {
            final List<SegmentHandle> pages = frozen.writeNative(id, own);
            final TaskPart part = new TaskPart("uid", List.of("uid"), 0, 1, false, own.finish(), pages);
            store.publish(new Manifest(job, id, 1, 1, GROUPS, PagesStateBackend.NAME, List.of(part)));
        }
        return folder;
    }

    @Test
    void shouldRestoreANativeSavepointOfAnotherJobAndGoOn() throws IOException {
        final Path source;
        final String answers;
        try (CheckpointStore store = open("from");
                KeyedStateStore state = state(store)) {
            for (int i = 0; i < 50; i++) {
                SmallState.put(state, i, 100);
                SmallState.setTimer(state, i, i);
            }
            source = takeSavepoint(store, state, 4);
            answers = SmallState.answers(state);
        }
        final Path pages = source.resolve("task-base.pages");
        final byte[] bytes = Files.readAllBytes(pages);
        try (CheckpointStore store = open("to")) {
            for (int i = 0; i < bytes.length; i += bytes.length / 40 + 1) {
                bytes[i] ^= 4;
                Files.write(pages, bytes);
                final CheckpointStorageException e =
                        assertThrows(CheckpointStorageException.class, () -> store.adopt(source, true));
                assertTrue(e.getMessage().contains("task-base.pages at offset"), e::getMessage);
                bytes[i] ^= 4;
            }
            Files.write(pages, bytes);

            assertEquals(4, store.adopt(source, true));

            try (KeyedStateStore restored = state(store)) {
                restored.restoreShared(store.load(4).tasks().get(0).shared(), 0, GROUPS);
                assertEquals(answers, SmallState.answers(restored));
            }
        }
    }

    /**
     * FC-114: the source is gone, yet the first increment need not be full, since it rests on this job's own copy; nor does a
     * savepoint in between change what it rests on.
     */
    @Test
    void shouldRestItsIncrementsOnItsOwnCopy() throws IOException {
        final Path source;
        try (CheckpointStore store = open("from");
                KeyedStateStore state = state(store)) {
            SmallState.put(state, 1, 100);
            source = takeSavepoint(store, state, 4);
        }
        final String answers;
        try (CheckpointStore store = open("from2")) {
            store.adopt(source, true);
            assertTrue(Files.notExists(source));
            try (KeyedStateStore restored = state(store)) {
                restored.restoreShared(store.load(4).tasks().get(0).shared(), 0, GROUPS);
                SmallState.put(restored, 2, 100);
                final Path between = takeSavepoint(store, restored, 5, "from2");
                SmallState.put(restored, 3, 100);
                takeCheckpoint(store, restored, 6);
                Files.delete(between.resolve("manifest"));
                Files.delete(between.resolve("task.segment"));
                Files.delete(between.resolve("task-base.pages"));
                answers = SmallState.answers(restored);
            }
            store.delete(4);
        }
        try (CheckpointStore store = open("from2");
                KeyedStateStore restored = state(store)) {
            final List<SegmentHandle> chain = store.load(6).tasks().get(0).shared();
            assertTrue(chain.get(0).file().startsWith("shared/4-adopted"), chain::toString);
            restored.restoreShared(chain, 0, GROUPS);
            assertEquals(answers, SmallState.answers(restored));
        }
    }

    private static void takeCheckpoint(final CheckpointStore store, final KeyedStateStore state, final long id) {
        try (FrozenState frozen = state.freeze();
                SegmentWriter own = store.createSegment(id, "task")) {
            final List<SegmentHandle> chain = frozen.writeTo(id, own);
            final TaskPart part = new TaskPart("uid", List.of("uid"), 0, 1, false, own.finish(), chain);
            store.publish(new Manifest("from2", id, 1, 1, GROUPS, PagesStateBackend.NAME, List.of(part)));
        }
    }
}
