package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.FileException;
import io.weir.storage.file.SimulatedCrash;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SnapshotException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job's store dies, or is failed by its disk, at every single operation of its life. */
final class CheckpointFaultTest {
    private static final String JOB = "job";
    private static final Path FOLDER = Path.of("/job");
    private static final int SEEDS = 3;

    private static CheckpointStore open(final SimulatedFileStore disk) {
        return new FileCheckpointStorage(disk, Path.of("/")).open(JOB);
    }

    private static long operationsOfALife() {
        final SimulatedFileStore disk = new SimulatedFileStore(0);
        new Life(disk).run();
        return disk.operations();
    }

    @Test
    void shouldLoseNothingWhereverTheMachineOrTheProcessDies() {
        final long operations = operationsOfALife();
        assertTrue(operations > 100, "a life has only " + operations + " operations");
        Deaths.each(SEEDS, operations, CheckpointFaultTest::dieAndReopen);
    }

    private static void dieAndReopen(final Deaths.Death death) {
        final SimulatedFileStore disk = death.disk();
        final Life life = new Life(disk);
        assertThrows(SimulatedCrash.class, life::run);
        death.bury(disk);
        final List<Long> recovered;
        try (CheckpointStore store = open(disk)) {
            recovered = life.assertListed(store);
        }
        // What a recovery was built on may not vanish when the machine dies after all.
        disk.crash();
        assertEquals(recovered, life.assertRecovered());
    }

    @Test
    void shouldLoseNothingWhereverTheMachineDiesWhileItRecoversFromTheDeathOfTheProcess() {
        final long operations = operationsOfALife();
        for (long m = 1; m < operations; m++) {
            for (long n = 1; n < 60; n++) {
                final SimulatedFileStore disk = new SimulatedFileStore(m * 1000 + n);
                final Life life = new Life(disk);
                disk.crashAfter(m);
                assertThrows(SimulatedCrash.class, life::run);
                disk.kill();
                disk.crashBefore(n);
                try {
                    open(disk).close();
                    break;
                } catch (final SimulatedCrash e) {
                    disk.crash();
                }
                try {
                    life.assertRecovered();
                } catch (final AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "process dies after operation " + m + ", machine before operation " + n + " of recovery: "
                                    + e,
                            e);
                }
            }
        }
    }

    @Test
    void shouldLoseNothingWhereverASweepOfOrphansDies() {
        final long operations = operationsOfALife();
        for (long m = 30; m < operations; m++) {
            for (long n = 1; n < 60; n++) {
                final SimulatedFileStore disk = new SimulatedFileStore(m * 1000 + n);
                final Life life = new Life(disk);
                disk.crashAfter(m);
                assertThrows(SimulatedCrash.class, life::run);
                disk.kill();
                disk.crashBefore(n);
                boolean isDone = true;
                try (OrphanSweep sweep = OrphanSweep.claim(CheckpointFolder.at(disk, FOLDER))) {
                    sweep.delete(orphan -> {});
                } catch (final SimulatedCrash e) {
                    isDone = false;
                    if (n % 2 == 0) {
                        disk.crash();
                    } else {
                        disk.kill();
                    }
                }
                disk.calm();
                try (OrphanSweep sweep = OrphanSweep.claim(CheckpointFolder.at(disk, FOLDER))) {
                    assertTrue(!isDone || sweep.orphans().isEmpty(), () -> "left: " + sweep.orphans());
                    sweep.delete(orphan -> {});
                }
                try {
                    life.assertRecovered();
                } catch (final AssertionError | RuntimeException e) {
                    throw new AssertionError("life dies after " + m + ", sweep before " + n + ": " + e, e);
                }
                if (isDone) {
                    break;
                }
            }
        }
    }

    @Test
    void shouldStayUsableWhicheverOperationFails() {
        final long operations = operationsOfALife();
        for (int seed = 0; seed < SEEDS; seed++) {
            for (long n = 1; n <= operations; n++) {
                final SimulatedFileStore disk = new SimulatedFileStore(seed);
                final Life life = new Life(disk);
                disk.failAt(n);
                try {
                    life.runTolerant();
                    disk.crash();
                    life.assertRecovered();
                } catch (final AssertionError | RuntimeException e) {
                    throw new AssertionError("operation " + n + " fails, seed " + seed + ": " + e, e);
                }
            }
        }
    }

    @Test
    void shouldNotLoseSegmentsBeforeTheManifestWhenADeletionIsTriedAgain() {
        for (int seed = 0; seed < 20; seed++) {
            for (long failing = 1; failing < 8; failing++) {
                for (long dying = 1; dying < 8; dying++) {
                    final SimulatedFileStore disk = new SimulatedFileStore(seed);
                    final CheckpointStore store = open(disk);
                    CheckpointSteps.take(store, JOB, 1, "one");
                    disk.failAt(failing);
                    try {
                        store.delete(1);
                    } catch (final CheckpointStorageException e) {
                        assertTrue(e.getMessage().contains("checkpoint 1"), e::getMessage);
                    }
                    disk.calm();
                    disk.crashAfter(dying);
                    try {
                        store.delete(1);
                    } catch (final SimulatedCrash e) {
                        // Died somewhere in the second try.
                        assertTrue(disk.operations() > 0);
                    }
                    disk.crash();

                    try (CheckpointStore reopened = open(disk)) {
                        for (final long id : reopened.completed()) {
                            assertEquals("one", CheckpointSteps.text(reopened, reopened.load(id)));
                        }
                    }
                }
            }
        }
    }

    /** FC-108: the new one could not be added, so the old one is still there and readable. */
    @Test
    void shouldFailACheckpointOnAFullDiskAndGoOn() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        try (CheckpointStore store = open(disk)) {
            CheckpointSteps.take(store, JOB, 1, "one");
            final long used = disk.usedBytes();
            CheckpointSteps.take(store, JOB, 2, "two");
            final long perCheckpoint = disk.usedBytes() - used;
            store.delete(2);
            assertEquals(used, disk.usedBytes());
            long id = 3;
            for (long room = 0; room < perCheckpoint; room += 7) {
                final long failing = id++;
                disk.capacity(used + room);
                final SnapshotException e =
                        assertThrows(SnapshotException.class, () -> CheckpointSteps.take(store, JOB, failing, "six"));
                assertTrue(e.getMessage().contains("no space left"), e::getMessage);
                store.delete(failing);
                assertEquals(used, disk.usedBytes());
                assertEquals(List.of(1L), store.completed());
            }
            disk.capacity(Long.MAX_VALUE);

            CheckpointSteps.take(store, JOB, id, "after");

            assertEquals(List.of(1L, id), store.completed());
            assertEquals("one", CheckpointSteps.text(store, store.load(1)));
        }
    }

    @Test
    void shouldFailOneCheckpointOnlyWhenFurtherIdsCanNotBeDrawnFc95() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        final long id;
        try (CheckpointStore store = open(disk)) {
            id = store.nextCheckpointId() + FileCheckpointStore.ID_BLOCK - 1;
            disk.failAt(1);

            assertThrows(SnapshotException.class, () -> CheckpointSteps.write(store, id, "task-0", "first"));
            disk.calm();
            store.delete(id);
            CheckpointSteps.take(store, JOB, id + 1, "second");
            CheckpointSteps.take(store, JOB, id + 2, "third");

            assertEquals(List.of(id + 1, id + 2), store.completed());
        }
        try (CheckpointStore store = open(disk)) {
            assertTrue(store.nextCheckpointId() > id + 2, "an id is given again");
        }
    }

    @Test
    void shouldDeleteOnAFullDiskEvenWhenIdsHaveToBeDrawn() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        try (CheckpointStore store = open(disk)) {
            final long id = store.nextCheckpointId() + FileCheckpointStore.ID_BLOCK - 1;
            CheckpointSteps.take(store, JOB, id, "x".repeat(1000));
            disk.capacity(disk.usedBytes());

            store.delete(id);
            store.delete(id + FileCheckpointStore.ID_BLOCK);

            assertEquals(List.of(), store.completed());
            assertTrue(store.nextCheckpointId() > id + FileCheckpointStore.ID_BLOCK);
        }
    }

    @Test
    void shouldNotForcePerId() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        try (CheckpointStore store = open(disk)) {
            final long first = store.nextCheckpointId();
            store.delete(first);
            final long before = disk.operations();

            for (long id = first + 1; id < first + 1001; id++) {
                store.delete(id);
            }

            // One look for the folder each.
            assertEquals(1000, disk.operations() - before);
        }
    }

    @Test
    void shouldNotWorkMoreForALongChainOfSharedSegments() {
        final long[] operations = new long[2];
        for (int i = 0; i < operations.length; i++) {
            final SimulatedFileStore disk = new SimulatedFileStore(1);
            try (CheckpointStore store = open(disk)) {
                long id = store.nextCheckpointId();
                final List<SegmentHandle> chain = new ArrayList<>();
                for (final int length = i == 0 ? 1 : 100; chain.size() < length; id++) {
                    chain.add(CheckpointSteps.writeShared(store, id, "task"));
                }
                store.publish(CheckpointSteps.manifest(JOB, id, chain));
                final long before = disk.operations();

                for (int round = 0; round < 10; round++, id++) {
                    store.publish(CheckpointSteps.manifest(JOB, id + 1, chain));
                    store.delete(id);
                }

                operations[i] = disk.operations() - before;
            }
        }
        assertEquals(operations[0], operations[1]);
    }

    /** FLINK-7783. */
    @Test
    void shouldDeleteNoSharedSegmentWhileAManifestCanNotBeRead() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        final SegmentHandle old;
        final SegmentHandle kept;
        try (CheckpointStore store = open(disk)) {
            old = CheckpointSteps.writeShared(store, 1, "task");
            store.publish(CheckpointSteps.manifest(JOB, 1, List.of(old)));
            kept = CheckpointSteps.writeShared(store, 2, "task");
            store.publish(CheckpointSteps.manifest(JOB, 2, List.of(kept)));
        }
        disk.damage(FOLDER.resolve("chk-1").resolve("manifest"), 20, 1);

        try (CheckpointStore store = open(disk)) {
            assertThrows(CorruptionException.class, () -> store.load(1));
            assertTrue(CheckpointSteps.isThere(store, old), "swept at open");
            store.publish(CheckpointSteps.manifest(JOB, 3, List.of(kept)));
            store.delete(2);
            assertTrue(CheckpointSteps.isThere(store, old), "deleted with another checkpoint");

            store.delete(1);

            assertFalse(CheckpointSteps.isThere(store, old), "still there when nothing can need it");
            assertTrue(CheckpointSteps.isThere(store, kept), "deleted although checkpoint 3 needs it");
        }
    }

    @Test
    void shouldListACheckpointWhoseOutcomeWasUnknownAsTheNextProcessWill() {
        int unknown = 0;
        for (long n = 1; n < 30; n++) {
            final SimulatedFileStore disk = new SimulatedFileStore(n);
            final List<Long> listed = new ArrayList<>();
            try (CheckpointStore store = open(disk)) {
                final SegmentHandle segment = CheckpointSteps.write(store, 1, "task-0", "state");
                disk.failAt(n);
                try {
                    store.publish(CheckpointSteps.manifest(JOB, 1, segment));
                } catch (final SnapshotException e) {
                    unknown += e.isOutcomeUnknown() ? 1 : 0;
                }
                disk.calm();
                listed.addAll(store.completed());
            }
            disk.kill();
            try (CheckpointStore store = open(disk)) {
                assertEquals(listed, store.completed(), "failed at operation " + n);
            }
        }
        assertTrue(unknown > 0, "no outcome was unknown");
    }

    @Test
    void shouldDeleteNoSharedSegmentOfACheckpointWhoseOutcomeIsUnknown() {
        int unknown = 0;
        for (long n = 1; n < 30; n++) {
            final SimulatedFileStore disk = new SimulatedFileStore(n);
            try (CheckpointStore store = open(disk)) {
                final SegmentHandle base = CheckpointSteps.writeShared(store, 1, "task");
                store.publish(CheckpointSteps.manifest(JOB, 1, List.of(base)));
                final SegmentHandle delta = CheckpointSteps.writeShared(store, 2, "task");
                disk.failAt(n);
                try {
                    store.publish(CheckpointSteps.manifest(JOB, 2, List.of(base, delta)));
                } catch (final SnapshotException e) {
                    unknown += e.isOutcomeUnknown() ? 1 : 0;
                }
                disk.calm();
                final SegmentHandle newBase = CheckpointSteps.writeShared(store, 3, "task");
                store.publish(CheckpointSteps.manifest(JOB, 3, List.of(newBase)));
                store.delete(1);
                assertTrue(CheckpointSteps.isThere(store, base), "checkpoint 2 may need the base");
                assertTrue(CheckpointSteps.isThere(store, delta), "checkpoint 2 may need its own");

                store.delete(2);

                assertFalse(CheckpointSteps.isThere(store, base), "nobody needs the base");
                assertTrue(CheckpointSteps.isThere(store, newBase), "checkpoint 3 needs its base");
            }
        }
        assertTrue(unknown > 0, "no publish ended with an unknown outcome");
    }

    /** FLINK-7783: what can't be read for a moment is there afterwards. */
    @Test
    void shouldLeaveAReadErrorAtOpenForWhatItIs() {
        final SimulatedFileStore disk = new SimulatedFileStore(1);
        try (CheckpointStore store = open(disk)) {
            CheckpointSteps.take(store, JOB, 1, "one");
        }
        for (long n = 1; n < 30; n++) {
            disk.failAt(n);
            try {
                open(disk).close();
            } catch (final CheckpointStorageException e) {
                assertTrue(e.getMessage().contains("simulated disk failed"), e::getMessage);
            }
            disk.calm();
            try (CheckpointStore store = open(disk)) {
                assertEquals(List.of(1L), store.completed());
                assertEquals("one", CheckpointSteps.text(store, store.load(1)));
            }
        }
    }

    /** What a job does with its store, and what it may rely on after each step. */
    private static final class Life {
        private final SimulatedFileStore disk;
        private final Set<Long> publishBegun = new HashSet<>();
        private final Set<Long> publishDone = new HashSet<>();
        private final Set<Long> deleteBegun = new HashSet<>();
        private final Set<Long> deleteDone = new HashSet<>();
        private final List<List<SegmentHandle>> chains = List.of(new ArrayList<>(), new ArrayList<>());
        private long lastAttempt;
        private long lastId;
        private boolean tolerant;

        private Life(final SimulatedFileStore disk) {
            this.disk = disk;
        }

        private void run() {
            try (CheckpointStore store = open(disk)) {
                live(store);
            }
        }

        private void runTolerant() {
            tolerant = true;
            try (CheckpointStore store = openTwice()) {
                live(store);
                // The disk failed once: a fresh checkpoint has to work by now.
                disk.calm();
                tolerant = false;
                take(store, ++lastId);
                assertListed(store);
            }
        }

        private CheckpointStore openTwice() {
            try {
                return open(disk);
            } catch (final CheckpointStorageException e) {
                return open(disk);
            }
        }

        private void live(final CheckpointStore store) {
            step(() -> lastAttempt = store.nextAttempt());
            step(() -> lastId = store.nextCheckpointId() - 1);
            final long first = lastId + 1;
            take(store, first);
            take(store, first + 1);
            delete(store, first);
            step(() -> CheckpointSteps.write(store, first + 2, "aborted", "x"));
            // Written, and part of the task's state from now on, although the checkpoint comes to nothing.
            step(() -> extend(store, first + 2, 0));
            step(() -> CheckpointSteps.writeShared(store, first + 2, "orphan"));
            take(store, first + 3);
            delete(store, first + 2);
            // So many ids later that further ones have to be drawn.
            take(store, first + FileCheckpointStore.ID_BLOCK / 2 + 1);
            step(() -> CheckpointSteps.write(store, lastId + 1, "unfinished", "x".repeat(5000)));
            delete(store, first + 1);
            delete(store, first + 3);
            take(store, lastId + 2);
        }

        /** A task writes what it changed; every third time all of its state anew. */
        private void extend(final CheckpointStore store, final long id, final int task) {
            final List<SegmentHandle> chain = chains.get(task);
            final SegmentHandle written = CheckpointSteps.writeShared(store, id, "task-" + task);
            if (chain.size() == 3) {
                chain.clear();
            }
            chain.add(written);
        }

        private void take(final CheckpointStore store, final long id) {
            lastId = Math.max(lastId, id);
            step(() -> {
                extend(store, id, 0);
                extend(store, id, 1);
                final Manifest manifest = CheckpointSteps.with(
                        CheckpointSteps.manifest(
                                JOB,
                                id,
                                CheckpointSteps.write(store, id, "task-0", "text " + id),
                                CheckpointSteps.write(store, id, "task-1", "text " + id)),
                        chains);
                publishBegun.add(id);
                store.publish(manifest);
                publishDone.add(id);
            });
        }

        private void delete(final CheckpointStore store, final long id) {
            step(() -> {
                deleteBegun.add(id);
                store.delete(id);
                deleteDone.add(id);
            });
            if (tolerant && !deleteDone.contains(id)) {
                step(() -> {
                    store.delete(id);
                    deleteDone.add(id);
                });
            }
        }

        private void step(final Runnable action) {
            try {
                action.run();
            } catch (final CheckpointStorageException | SnapshotException | FileException e) {
                if (!tolerant) {
                    throw e;
                }
            }
        }

        private List<Long> assertRecovered() {
            try (CheckpointStore store = open(disk)) {
                final List<Long> completed = assertListed(store);
                final Set<String> folders = new TreeSet<>(disk.list(FOLDER));
                assertTrue(folders.removeAll(List.of("job", "lock", "counters")));
                if (folders.remove("shared")) {
                    final Set<String> named = new TreeSet<>();
                    completed.forEach(id -> sharedOf(store, id).forEach(segment -> named.add(segment.file())));
                    final Set<String> there = new TreeSet<>();
                    disk.list(FOLDER.resolve("shared")).forEach(name -> there.add("shared/" + name));
                    assertEquals(named, there);
                }
                final Set<String> expected = new TreeSet<>();
                completed.forEach(id -> expected.add("chk-" + id));
                assertEquals(expected, folders);
                final long attempt = store.nextAttempt();
                assertTrue(attempt > lastAttempt, "attempt " + attempt + " after " + lastAttempt);
                lastAttempt = attempt;
                final long id = store.nextCheckpointId();
                assertTrue(id > lastId, "id " + id + " after " + lastId);
                return completed;
            }
        }

        private List<Long> assertListed(final CheckpointStore store) {
            final List<Long> completed = store.completed();
            final Set<Long> must = new TreeSet<>(publishDone);
            must.removeAll(deleteBegun);
            assertTrue(completed.containsAll(must), completed + " lacks some of " + must);
            final Set<Long> may = new TreeSet<>(publishBegun);
            may.removeAll(deleteDone);
            assertTrue(may.containsAll(completed), completed + " has more than " + may);
            for (final long id : completed) {
                assertEquals("text " + id, CheckpointSteps.text(store, store.load(id)));
                for (final SegmentHandle segment : sharedOf(store, id)) {
                    assertTrue(CheckpointSteps.isThere(store, segment), id + " needs " + segment);
                }
            }
            return completed;
        }

        private static List<SegmentHandle> sharedOf(final CheckpointStore store, final long id) {
            return store.load(id).tasks().stream()
                    .flatMap(task -> task.shared().stream())
                    .toList();
        }
    }
}
