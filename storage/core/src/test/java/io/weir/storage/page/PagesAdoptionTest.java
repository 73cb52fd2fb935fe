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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native savepoints of pages: adopted by another job, and between the increments of their own. */
final class PagesAdoptionTest {
    private static final int GROUPS = SmallState.KEY_GROUPS;
    private static final int MANY = 50;

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
                takeCheckpoint(store, restored, 6, "from2");
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

    /** FLINK-21351, FLINK-23949: the checkpoint behind a savepoint is an increment, and rests on the checkpoint before. */
    @Test
    void shouldRestTheIncrementBehindASavepointOnTheCheckpointBefore() throws IOException {
        final String answers;
        try (CheckpointStore store = open("from");
                KeyedStateStore state = state(store)) {
            for (int number = 1; number <= MANY; number++) {
                SmallState.put(state, number, 900);
            }
            final List<SegmentHandle> first = takeCheckpoint(store, state, 1, "from");
            SmallState.put(state, 1, 100);
            final Path between = takeSavepoint(store, state, 2);
            SmallState.put(state, 2, 100);

            final List<SegmentHandle> third = takeCheckpoint(store, state, 3, "from");

            assertTrue(third.containsAll(first), () -> third + " does not rest on " + first);
            final long whole = first.stream().mapToLong(SegmentHandle::length).sum();
            final long increment =
                    third.stream().mapToLong(SegmentHandle::length).sum() - whole;
            assertTrue(increment < whole / 2, () -> "an increment of " + increment + " bytes to " + whole);
            deleteAll(between);
            store.delete(1);
            answers = SmallState.answers(state);
        }
        try (CheckpointStore store = open("from");
                KeyedStateStore restored = state(store)) {
            restored.restoreShared(store.load(3).tasks().get(0).shared(), 0, GROUPS);
            assertEquals(answers, SmallState.answers(restored));
        }
    }

    private static void deleteAll(final Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static List<SegmentHandle> takeCheckpoint(
            final CheckpointStore store, final KeyedStateStore state, final long id, final String job) {
        try (FrozenState frozen = state.freeze();
                SegmentWriter own = store.createSegment(id, "task")) {
            final List<SegmentHandle> chain = frozen.writeTo(id, own);
            final TaskPart part = new TaskPart("uid", List.of("uid"), 0, 1, false, own.finish(), chain);
            store.publish(new Manifest(job, id, 1, 1, GROUPS, PagesStateBackend.NAME, List.of(part)));
            return chain;
        }
    }
}
