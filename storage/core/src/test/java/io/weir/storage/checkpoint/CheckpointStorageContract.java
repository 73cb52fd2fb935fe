package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SnapshotException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link CheckpointStorage} does. */
public abstract class CheckpointStorageContract {
    private static final String JOB = "vwap";

    /**
     * The storage under test.
     *
     * @return the same place during a test.
     */
    protected abstract CheckpointStorage storage();

    private static Manifest take(final CheckpointStore store, final long id, final String text) {
        return CheckpointSteps.take(store, JOB, id, text);
    }

    @Test
    void shouldLoadWhatWasPublished() {
        try (CheckpointStore store = storage().open(JOB)) {
            final Manifest manifest = take(store, 1, "state");

            assertEquals(List.of(1L), store.completed());
            assertEquals(manifest, store.load(1));
            assertEquals("state", CheckpointSteps.text(store, manifest));
        }
    }

    @Test
    void shouldKeepCheckpointsOverAReopen() {
        try (CheckpointStore store = storage().open(JOB)) {
            take(store, 3, "three");
            take(store, 10, "ten");
            take(store, 9, "nine");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(3L, 9L, 10L), store.completed());
            assertEquals("nine", CheckpointSteps.text(store, store.load(9)));
            assertEquals("ten", CheckpointSteps.text(store, store.load(10)));
        }
    }

    @Test
    void shouldNotListWhatWasNotPublished() {
        try (CheckpointStore store = storage().open(JOB)) {
            CheckpointSteps.write(store, 1, "task-0", "state");
            assertEquals(List.of(), store.completed());
            assertThrows(IllegalArgumentException.class, () -> store.load(1));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(), store.completed());
        }
    }

    @Test
    void shouldKeepJobsApart() {
        try (CheckpointStore a = storage().open("a/b");
                CheckpointStore b = storage().open("a_b");
                CheckpointStore dots = storage().open("..")) {
            CheckpointSteps.take(a, "a/b", 1, "of a");
            CheckpointSteps.take(b, "a_b", 1, "of b");

            assertEquals("of a", CheckpointSteps.text(a, a.load(1)));
            assertEquals("of b", CheckpointSteps.text(b, b.load(1)));
            assertEquals(List.of(), dots.completed());
        }
        assertThrows(IllegalArgumentException.class, () -> storage().open(" "));
        assertThrows(IllegalArgumentException.class, () -> storage().open("x".repeat(300)));
    }

    @Test
    void shouldRefuseASecondOpenUntilTheFirstIsClosed() {
        final CheckpointStore first = storage().open(JOB);

        final CheckpointStorageException e =
                assertThrows(CheckpointStorageException.class, () -> storage().open(JOB));
        assertTrue(e.getMessage().contains("in use"), e::getMessage);
        first.close();
        first.close();

        storage().open(JOB).close();
        assertThrows(IllegalStateException.class, first::completed);
        assertThrows(IllegalStateException.class, first::nextAttempt);
        assertThrows(IllegalStateException.class, () -> first.createSegment(1, "a"));
    }

    @Test
    void shouldDrawEachAttemptOnce() {
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(1, store.nextAttempt());
            assertEquals(2, store.nextAttempt());
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(3, store.nextAttempt());
        }
    }

    @Test
    void shouldNeverGiveAnIdAgainThatWasUsed() {
        long highest = 0;
        for (int process = 0; process < 3; process++) {
            try (CheckpointStore store = storage().open(JOB)) {
                final long first = store.nextCheckpointId();
                assertTrue(first > highest, "id " + first + " after " + highest);
                // A checkpoint that is given up and whose folder is gone.
                CheckpointSteps.write(store, first + 1, "task-0", "x");
                store.delete(first + 1);
                // One of which the store learns by its end only.
                store.delete(first + 2);
                // A recovery within the process.
                final long again = store.nextCheckpointId();
                assertTrue(again > first + 2, "id " + again + " after " + (first + 2));
                // So many checkpoints that the drawn ids run out.
                for (long id = again; id < again + 30_000; id += 4_999) {
                    store.delete(id);
                    highest = id;
                }
                take(store, ++highest, "kept");
            }
        }
    }

    @Test
    void shouldDeleteACheckpoint() {
        try (CheckpointStore store = storage().open(JOB)) {
            final Manifest first = take(store, 1, "one");
            take(store, 2, "two");

            store.delete(1);
            store.delete(1);
            store.delete(7);

            assertEquals(List.of(2L), store.completed());
            assertThrows(IllegalArgumentException.class, () -> store.load(1));
            assertThrows(
                    CorruptionException.class,
                    () -> store.openSegment(first.tasks().get(0).segment()));
            assertEquals("two", CheckpointSteps.text(store, store.load(2)));
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(2L), store.completed());
        }
    }

    @Test
    void shouldFailALateWriterOfADeletedCheckpointButNotTheJob() {
        try (CheckpointStore store = storage().open(JOB)) {
            try (SegmentWriter late = store.createSegment(1, "task-0")) {
                store.delete(1);
                late.beginSection("a", "");
                late.finish();
            }

            assertThrows(SnapshotException.class, () -> store.createSegment(1, "task-1"));
            take(store, 2, "two");
            assertEquals(List.of(2L), store.completed());
        }
    }

    @Test
    void shouldForgetAnAbandonedSegment() {
        try (CheckpointStore store = storage().open(JOB)) {
            try (SegmentWriter writer = store.createSegment(1, "task-0")) {
                writer.beginSection("a", "");
            }

            // The name is free again.
            take(store, 1, "state");
            assertEquals("state", CheckpointSteps.text(store, store.load(1)));
        }
    }

    @Test
    void shouldPublishACheckpointOfFinishedTasksWithoutSegments() {
        try (CheckpointStore store = storage().open(JOB)) {
            final Manifest manifest = new Manifest(
                    JOB,
                    5,
                    1,
                    0,
                    128,
                    "heap",
                    List.of(new Manifest.TaskPart("map", List.of("map"), 0, 1, true, null, List.of())));

            store.publish(manifest);

            assertEquals(manifest, store.load(5));
        }
    }

    @Test
    void shouldRefuseAManifestThatDoesNotFit() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle first = take(store, 1, "one").tasks().get(0).segment();
            final SegmentHandle missing = new SegmentHandle("chk-3/missing.segment", 1, 1, 1);

            assertThrows(
                    IllegalArgumentException.class, () -> store.publish(CheckpointSteps.manifest("other", 2, first)));
            assertThrows(IllegalArgumentException.class, () -> store.publish(CheckpointSteps.manifest(JOB, 2, first)));
            assertThrows(
                    IllegalArgumentException.class, () -> store.publish(CheckpointSteps.manifest(JOB, 3, missing)));
            assertThrows(IllegalStateException.class, () -> store.publish(CheckpointSteps.manifest(JOB, 1, first)));
            assertThrows(IllegalStateException.class, () -> store.createSegment(1, "late"));
            assertEquals(List.of(1L), store.completed());
        }
    }

    @Test
    void shouldRefuseNamesThatLeadOutOfTheFolder() {
        try (CheckpointStore store = storage().open(JOB)) {
            for (final String name :
                    List.of("", ".", "..", "../x", "a/b", "a\\b", "/etc/x", "a\0b", "ü", "x".repeat(201))) {
                assertThrows(IllegalArgumentException.class, () -> store.createSegment(1, name), name);
            }
            for (final String file : List.of(
                    "manifest",
                    "chk-1/manifest",
                    "../job/chk-1/a.segment",
                    "chk-1/../chk-2/a.segment",
                    "/chk-1/a.segment",
                    "chk-1/.segment",
                    "chk-01/a.segment",
                    "chk-1/a.segment\n")) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> store.openSegment(new SegmentHandle(file, 1, 1, 1)),
                        file);
            }
            for (final long id : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> store.createSegment(id, "a"));
                assertThrows(IllegalArgumentException.class, () -> store.delete(id));
            }
        }
    }

    @Test
    void shouldLetSeveralThreadsWriteSegmentsAtOnce() throws Exception {
        try (CheckpointStore store = storage().open(JOB)) {
            final List<Thread> threads = new ArrayList<>();
            final SegmentHandle[] handles = new SegmentHandle[8];
            for (int i = 0; i < handles.length; i++) {
                final int task = i;
                final Thread thread = new Thread(
                        () -> handles[task] = CheckpointSteps.write(store, 1, "task-" + task, "state " + task));
                threads.add(thread);
                thread.start();
            }
            for (final Thread thread : threads) {
                thread.join();
            }

            store.publish(CheckpointSteps.manifest(JOB, 1, handles));

            for (int i = 0; i < handles.length; i++) {
                assertEquals("state " + i, CheckpointSteps.text(store, handles[i]));
            }
        }
    }

    @Test
    void shouldNameItsPlace() {
        assertNotEquals("", storage().location());
    }

    @Test
    void shouldReadASegmentWhileAnotherIsWritten() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle segment = take(store, 1, "one").tasks().get(0).segment();
            try (SegmentReader reader = store.openSegment(segment)) {
                take(store, 2, "two");

                assertEquals(1, reader.sections().size());
                assertTrue(reader.name().endsWith(segment.file()), reader.name());
            }
        }
    }

    @Test
    void shouldKeepASharedSegmentAsLongAsARetainedCheckpointNamesIt() {
        final SegmentHandle base;
        final SegmentHandle delta;
        final SegmentHandle newBase;
        try (CheckpointStore store = storage().open(JOB)) {
            base = CheckpointSteps.writeShared(store, 1, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            delta = CheckpointSteps.writeShared(store, 2, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 2, List.of(base, delta)));
            newBase = CheckpointSteps.writeShared(store, 3, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(newBase)));

            store.delete(1);
            assertThere(store, base, delta, newBase);
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(base, delta), store.load(2).tasks().get(0).shared());
            assertThere(store, base, delta, newBase);

            store.delete(2);

            assertThere(store, newBase);
            assertGone(store, base, delta);
        }
    }

    private static void assertThere(final CheckpointStore store, final SegmentHandle... handles) {
        for (final SegmentHandle handle : handles) {
            assertTrue(CheckpointSteps.isThere(store, handle), handle + " is gone");
        }
    }

    private static void assertGone(final CheckpointStore store, final SegmentHandle... handles) {
        for (final SegmentHandle handle : handles) {
            assertFalse(CheckpointSteps.isThere(store, handle), handle + " is still there");
        }
    }

    /** FC-100: what was a checkpoint's own goes with it; what may be shared goes once a later one completed without it. */
    @Test
    void shouldKeepASharedSegmentOfAnAbortedCheckpointForLaterOnes() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle base = CheckpointSteps.writeShared(store, 1, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            final SegmentHandle aborted = CheckpointSteps.writeShared(store, 2, "task-0");
            final SegmentHandle unused = CheckpointSteps.writeShared(store, 2, "task-1");
            final SegmentHandle own = CheckpointSteps.write(store, 2, "task-0", "own");
            store.openSegment(own).close();
            store.delete(2);
            assertThrows(CorruptionException.class, () -> store.openSegment(own));
            assertThere(store, base, aborted, unused);

            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(base, aborted)));
            final SegmentHandle pending = CheckpointSteps.writeShared(store, 4, "task-0");
            store.delete(1);

            assertThere(store, base, aborted, pending);
            assertGone(store, unused);
            store.publish(CheckpointSteps.manifest(JOB, 4, List.of(base, aborted, pending)));
        }
    }

    @Test
    void shouldCountAFileThatSeveralTasksNameByItsName() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle left = CheckpointSteps.writeShared(store, 1, "task-0");
            final SegmentHandle right = CheckpointSteps.writeShared(store, 1, "task-1");
            // Three tasks where two were: those in the middle rest on both files.
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(left), List.of(right)));
            store.publish(CheckpointSteps.manifest(JOB, 2, List.of(left), List.of(left, right), List.of(right)));
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(), List.of(left), List.of()));

            store.delete(1);
            assertThere(store, left, right);
            store.delete(2);
            assertThere(store, left);
            assertGone(store, right);
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertEquals(List.of(3L), store.completed());
            store.publish(CheckpointSteps.manifest(JOB, 4, List.of(), List.of()));
            store.delete(3);
            assertEquals(List.of(4L), store.completed());
        }
    }

    @Test
    void shouldSweepSharedSegmentsThatNobodyNamesWhenItIsOpened() {
        final SegmentHandle named;
        final SegmentHandle orphan;
        try (CheckpointStore store = storage().open(JOB)) {
            named = CheckpointSteps.writeShared(store, 1, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(named)));
            orphan = CheckpointSteps.writeShared(store, 2, "task-0");
        }
        try (CheckpointStore store = storage().open(JOB)) {
            assertThere(store, named);
            assertGone(store, orphan);
        }
    }

    @Test
    void shouldRefuseAManifestThatNamesASharedSegmentThatIsNotThere() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SegmentHandle base = CheckpointSteps.writeShared(store, 1, "task-0");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
            store.publish(CheckpointSteps.manifest(JOB, 2, List.of(), List.of()));
            store.delete(1);
            final SegmentHandle drawn = new SegmentHandle(
                    store.shared("task-0").create(5, "never-written").name(), 1, 1, 1);

            long id = 3;
            for (final SegmentHandle missing :
                    List.of(base, drawn, new SegmentHandle("shared/1-foreign-x.pages", 1, 1, 1), segment("../job"))) {
                final long refused = id++;
                final IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class,
                        () -> store.publish(CheckpointSteps.manifest(JOB, refused, List.of(missing))));
                assertTrue(e.getMessage().contains(missing.file() + ", which is missing"), e::getMessage);
                store.delete(refused);
            }
            assertEquals(List.of(2L), store.completed());
        }
    }

    private static SegmentHandle segment(final String file) {
        return new SegmentHandle(file, 1, 1, 1);
    }

    @Test
    void shouldPlaceSharedSegmentsInTimeAndOnceOnly() {
        try (CheckpointStore store = storage().open(JOB)) {
            take(store, 5, "five");
            store.delete(7);

            final SharedSegments shared = store.shared("task-0");
            assertThrows(SnapshotException.class, () -> shared.create(4, "x"));
            assertThrows(SnapshotException.class, () -> shared.create(7, "x"));
            assertThrows(IllegalStateException.class, () -> shared.create(5, "x"));
            assertEquals("shared/6-task-0-x.pages", shared.create(6, "x").name());
            assertThrows(IllegalStateException.class, () -> shared.create(6, "x"));
            assertEquals("shared/6-task-0-y.pages", shared.create(6, "y").name());
        }
    }

    @Test
    void shouldRefuseNamesOfSharedSegmentsThatLeadOutOfTheFolder() {
        try (CheckpointStore store = storage().open(JOB)) {
            final SharedSegments shared = store.shared("task-0");
            for (final String name : List.of("", "..", "../x", "a/b", "/etc/x", "a\0b", "ü", "x".repeat(201))) {
                assertThrows(IllegalArgumentException.class, () -> store.shared(name), name);
            }
            for (final String suffix : List.of("../x", "a/b", "a\0b", "ü", "x".repeat(230), "x\n")) {
                assertThrows(IllegalArgumentException.class, () -> shared.create(1, suffix), suffix);
            }
            for (final String file : List.of(
                    "job",
                    "shared/job",
                    "shared/../job.pages",
                    "shared/1-a/../../x.pages",
                    "chk-1/1-a-x.pages",
                    "/shared/1-a-x.pages",
                    "shared/01-a-x.pages",
                    "shared/1-a-x.pages\n")) {
                assertThrows(IllegalArgumentException.class, () -> shared.path(segment(file)), file);
            }
            for (final long id : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> shared.create(id, "x"));
            }
        }
    }
}
