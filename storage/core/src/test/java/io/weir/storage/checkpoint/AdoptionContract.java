package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link CheckpointStorage} does when its job goes on from a savepoint. */
abstract class AdoptionContract {
    static final String JOB = "job";
    static final String OTHER = "other";

    @TempDir
    Path parent;

    /** The same place during a test. */
    abstract CheckpointStorage storage();

    /** Another job's checkpoints. */
    private CheckpointStorage others() {
        return new FileCheckpointStorage(parent.resolve("others"));
    }

    private Path savepointOfAnother(final long id, final String text) {
        try (CheckpointStore store = others().open(OTHER)) {
            final Path folder = store.beginSavepoint(id, parent);
            CheckpointSteps.takeSavepoint(store, OTHER, id, text);
            return folder;
        }
    }

    private static Path ownSavepoint(final CheckpointStore store, final long id, final Path parent) {
        final Path folder = store.beginSavepoint(id, parent);
        CheckpointSteps.takeSavepoint(store, JOB, id, "text " + id);
        return folder;
    }

    private static void assertWhole(final CheckpointStore store, final long id, final String text) {
        final Manifest manifest = store.load(id);
        assertEquals(JOB, manifest.jobName());
        assertEquals(text, CheckpointSteps.text(store, manifest));
        for (final Manifest.TaskPart task : manifest.tasks()) {
            for (final SegmentHandle segment : task.shared()) {
                assertTrue(CheckpointSteps.isThere(store, segment), segment::toString);
            }
        }
    }

    private static void assertRefused(
            final CheckpointStore store, final Path source, final boolean claim, final String... words) {
        final List<Long> before = store.completed();
        final CheckpointStorageException e =
                assertThrows(CheckpointStorageException.class, () -> store.adopt(source, claim));
        for (final String word : words) {
            assertTrue(e.getMessage().contains(word), e::getMessage);
        }
        assertEquals(before, store.completed());
    }

    private static void flip(final Path file, final long position) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[(int) position] ^= 1;
        Files.write(file, bytes);
    }

    /** FC-113 (no claim): the original may be deleted at once, not only after a first full checkpoint. */
    @Test
    void shouldMakeASavepointACheckpointOfItsOwnAndDependOnNothingOfIt() throws IOException {
        final Path source = savepointOfAnother(7, "seven");
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(7, store.adopt(source, false));

            deleteAll(source);
            assertEquals(List.of(7L), store.completed());
            assertWhole(store, 7, "seven");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(7L), store.completed());
            assertWhole(store, 7, "seven");
        }
    }

    private static void deleteAll(final Path folder) throws IOException {
        for (final String name : SavepointContract.names(folder)) {
            Files.delete(folder.resolve(name));
        }
        Files.delete(folder);
    }

    @Test
    void shouldCountOnBehindTheSource() {
        final Path source;
        try (CheckpointStore store = others().open(OTHER)) {
            source = store.beginSavepoint(50_000, parent);
            final SegmentHandle segment = CheckpointSteps.write(store, 50_000, "task-0", "x");
            final Manifest manifest = CheckpointSteps.manifest(OTHER, 50_000, segment);
            store.publish(new Manifest(OTHER, 50_000, 12, 1, 128, "heap", manifest.tasks()));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            store.adopt(source, false);
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(13, store.nextAttempt());
            assertTrue(store.nextCheckpointId() > 50_000);
            assertEquals(12, store.load(50_000).attempt());
        }
    }

    /** FLINK-26985: what another job made is never deleted, also when the job's own copy is. */
    @Test
    void shouldTakeARetainedCheckpointAndLeaveItThere() {
        final Path source = parent.resolve("others").resolve(OTHER).resolve("chk-3");
        final SegmentHandle shared;
        try (CheckpointStore store = others().open(OTHER)) {
            shared = CheckpointSteps.writeShared(store, 2, "task");
            final SegmentHandle own = CheckpointSteps.write(store, 3, "task-0", "three");
            store.publish(CheckpointSteps.with(CheckpointSteps.manifest(OTHER, 3, own), List.of(List.of(shared))));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertRefused(store, source, true, "belongs to its job", "claim");

            assertEquals(3, store.adopt(source, false));

            assertWhole(store, 3, "three");
            CheckpointSteps.take(store, JOB, store.nextCheckpointId(), "next");
            store.delete(3);
        }
        storage().open(JOB).close();
        try (CheckpointStore store = others().open(OTHER)) {
            assertEquals(List.of(3L), store.completed());
            assertEquals("three", CheckpointSteps.text(store, store.load(3)));
            assertTrue(CheckpointSteps.isThere(store, shared));
        }
    }

    /** FC-113 (claim). */
    @Test
    void shouldDeleteWhatItClaims() throws IOException {
        final Path source = savepointOfAnother(7, "seven");
        Files.createFile(source.resolve("notes.txt"));
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(7, store.adopt(source, true));

            assertWhole(store, 7, "seven");
            assertEquals(List.of("notes.txt"), SavepointContract.names(source));
            assertEquals(7, store.adopt(source, true));
            Files.delete(source.resolve("notes.txt"));
            assertEquals(7, store.adopt(source, true));
            assertFalse(Files.exists(source));
            assertEquals(7, store.adopt(source, true));
        }
    }

    @Test
    void shouldGoOnFromItsNewestWhenItIsStartedAgainWithTheSameArguments() throws IOException {
        final Path source = savepointOfAnother(7, "seven");
        final Path moved = parent.resolve("moved");
        try (CheckpointStore store = storage().open(JOB)) {
            store.adopt(source, false);
        }
        final long next;
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(7, store.adopt(source, false));
            next = store.nextCheckpointId();
            CheckpointSteps.take(store, JOB, next, "next");
            store.delete(7);
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(next, store.adopt(source, false));
            Files.move(source, moved);
            assertEquals(next, store.adopt(source, false));
            assertEquals(next, store.adopt(moved, false));
            deleteAll(moved);
            assertEquals(next, store.adopt(moved, true));
            assertEquals(List.of(next), store.completed());
        }
    }

    @Test
    void shouldRefuseWhatTheJobHasGoneBeyond() {
        final Path foreign = savepointOfAnother(70_000, "foreign");
        try (CheckpointStore store = storage().open(JOB)) {
            final Path older = ownSavepoint(store, 1, parent);
            CheckpointSteps.take(store, JOB, 2, "two");

            assertRefused(
                    store, foreign, false, "checkpoint 2 of job 'job'", "savepoint 70000 of job 'other'", "another");
            assertRefused(store, older, false, "checkpoint 2 of job 'job'", "savepoint 1 of job 'job'", "another");
        }
    }

    @Test
    void shouldGoOnFromItsOwnSavepointThatIsNewerThanAllItsCheckpoints() {
        final Path savepoint;
        try (CheckpointStore store = storage().open(JOB)) {
            CheckpointSteps.take(store, JOB, 1, "one");
            savepoint = ownSavepoint(store, 2, parent);
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(2, store.adopt(savepoint, false));
            assertEquals(List.of(1L, 2L), store.completed());
            assertWhole(store, 2, "text 2");
        }
    }

    @Test
    void shouldAdoptASavepointThatItHasJustPublishedAndKeepWhatPendingCheckpointsRestOn() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle base = CheckpointSteps.writeShared(store, 1, "task");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            final Path savepoint = store.beginSavepoint(2, parent);
            final SegmentHandle flushed = CheckpointSteps.writeShared(store, 2, "task");
            CheckpointSteps.takeSavepoint(store, JOB, 2, "two");
            final SegmentHandle pending = CheckpointSteps.write(store, 3, "task-0", "three");
            final SegmentHandle third = CheckpointSteps.writeShared(store, 3, "task");

            assertEquals(2, store.adopt(savepoint, false));

            assertEquals(List.of(1L, 2L), store.completed());
            assertWhole(store, 2, "two");
            store.delete(1);
            store.publish(CheckpointSteps.with(
                    CheckpointSteps.manifest(JOB, 3, pending), List.of(List.of(base, flushed, third))));
            assertWhole(store, 3, "three");
            store.delete(2);
            assertWhole(store, 3, "three");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(3L), store.completed());
            assertWhole(store, 3, "three");
        }
    }

    @Test
    void shouldNotAdoptOnceANewerCheckpointHasCompleted() {
        try (CheckpointStore store = storage().open(JOB)) {
            final Path savepoint = ownSavepoint(store, 2, parent);
            CheckpointSteps.take(store, JOB, 3, "three");

            assertRefused(store, savepoint, false, "checkpoint 3", "savepoint 2");
        }
    }

    @Test
    void shouldNameASourceThatIsNone() throws IOException {
        final Path file = Files.createFile(parent.resolve("file"));
        final Path empty = Files.createDirectory(parent.resolve("empty"));
        try (CheckpointStore store = others().open(OTHER)) {
            CheckpointSteps.take(store, OTHER, 1, "one");
            CheckpointSteps.write(store, 2, "task-0", "two");
            CheckpointSteps.write(store, 2, "task-1", "two");
            final Path pending = parent.resolve("others").resolve(OTHER).resolve("chk-2");
            try (CheckpointStore mine = storage().open(JOB)) {
                assertRefused(mine, parent.resolve("missing"), false, "missing", "no such folder");
                assertRefused(mine, file, true, "file", "not a folder");
                assertRefused(mine, empty, true, "empty", "no manifest");
                assertRefused(mine, pending, false, "chk-2", "no manifest");
                assertRefused(mine, parent.resolve("others").resolve(OTHER), false, "others/other", "no manifest");
            }
        }
    }

    @Test
    void shouldNameDamageAndAddNothing() throws IOException {
        final Path source = savepointOfAnother(7, "seven");
        try (CheckpointStore store = storage().open(JOB)) {
            for (final String name : SavepointContract.names(source)) {
                final Path file = source.resolve(name);
                flip(file, Files.size(file) / 2);
                assertRefused(store, source, true, file.toString(), "at offset");
                flip(file, Files.size(file) / 2);
                if (!name.equals("manifest")) {
                    Files.move(file, parent.resolve("away"));
                    assertRefused(store, source, true, file.toString(), "no file");
                    Files.move(parent.resolve("away"), file);
                }
            }

            assertEquals(7, store.adopt(source, false));
            assertWhole(store, 7, "seven");
        }
    }

    @Test
    void shouldKeepSharedFilesByWhoNamesThemAlsoOverARestartFc111() {
        final List<SegmentHandle> files = new ArrayList<>();
        try (CheckpointStore store = storage().open(JOB)) {
            for (long id = 1; id <= 4; id++) {
                files.add(CheckpointSteps.writeShared(store, id, "task"));
            }
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(files.get(0))));
            store.publish(CheckpointSteps.manifest(JOB, 2, List.of(files.get(0), files.get(1))));
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(files.get(1), files.get(2))));
            store.delete(1);
            assertTrue(CheckpointSteps.isThere(store, files.get(0)), "checkpoint 2 needs it");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertTrue(CheckpointSteps.isThere(store, files.get(0)), "checkpoint 2 needs it");
            assertFalse(CheckpointSteps.isThere(store, files.get(3)), "nobody needs it");
            store.delete(2);
            assertFalse(CheckpointSteps.isThere(store, files.get(0)), "nobody needs it any more");
            final long next = store.nextCheckpointId();
            final SegmentHandle later = CheckpointSteps.writeShared(store, next, "task");
            store.delete(3);
            assertTrue(CheckpointSteps.isThere(store, later), "a later checkpoint may need it");
        }
    }

    /** FC-112, FLINK-24611: a file that an aborted checkpoint had made is never taken for a later one's. */
    @Test
    void shouldNotTakeAFileOfADeadProcessForOneOfTheSameNameFc112() {
        final SegmentHandle base;
        final SegmentHandle lost;
        try (CheckpointStore store = storage().open(JOB)) {
            base = CheckpointSteps.writeShared(store, 1, "task");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            lost = CheckpointSteps.writeShared(store, 2, "task");
        }
        final long next;
        final SegmentHandle again;
        try (CheckpointStore store = storage().open(JOB)) {
            next = store.nextCheckpointId();
            again = CheckpointSteps.writeShared(store, next, "task");
            store.publish(CheckpointSteps.manifest(JOB, next, List.of(base, again)));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertFalse(lost.file().equals(again.file()));
            assertFalse(CheckpointSteps.isThere(store, lost));
            assertEquals(List.of(base, again), store.load(next).tasks().get(0).shared());
            assertTrue(CheckpointSteps.isThere(store, again));
        }
    }
}
