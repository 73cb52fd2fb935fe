package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.FileKind;
import io.weir.storage.file.SimulatedCrash;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.Manifest;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The machine or the process dies, or the disk fails, at every single operation of an adoption; then it is tried again. */
final class AdoptionFaultTest {
    private static final String JOB = "job";
    private static final Path FOLDER = Path.of("/job");
    private static final Path SOURCE = Path.of("/savepoints/savepoint-other-7");
    private static final int SEEDS = 3;

    private static CheckpointStore open(final SimulatedFileStore disk) {
        return new FileCheckpointStorage(disk, Path.of("/")).open(JOB);
    }

    /** A disk with another job's savepoint, or one of this job that is newer than its checkpoint. */
    private static SimulatedFileStore disk(final long seed, final boolean isOwn) {
        final SimulatedFileStore disk = new SimulatedFileStore(seed);
        final String job = isOwn ? JOB : "other";
        try (CheckpointStore store = new FileCheckpointStorage(disk, Path.of("/")).open(job)) {
            if (isOwn) {
                CheckpointSteps.take(store, job, 1, "one");
            }
            store.beginSavepoint(7, SOURCE.getParent());
            CheckpointSteps.takeSavepoint(store, job, 7, "seven");
        }
        return disk;
    }

    private static Path source(final boolean isOwn) {
        return isOwn ? SOURCE.resolveSibling("savepoint-job-7") : SOURCE;
    }

    private static void adopt(final SimulatedFileStore disk, final boolean isOwn, final boolean claim) {
        try (CheckpointStore store = open(disk)) {
            assertEquals(7, store.adopt(source(isOwn), claim));
        }
    }

    private static long operations(final boolean isOwn, final boolean claim) {
        final SimulatedFileStore disk = disk(0, isOwn);
        final long before = disk.operations();
        adopt(disk, isOwn, claim);
        assertEnd(disk, isOwn, claim);
        return disk.operations() - before;
    }

    /** There is the checkpoint or not; whole, and nothing else. */
    private static void assertBetween(final SimulatedFileStore disk, final boolean isOwn) {
        try (CheckpointStore store = open(disk)) {
            final List<Long> completed = store.completed();
            assertTrue(!isOwn || completed.contains(1L), "the job's own checkpoint is gone");
            assertFiles(disk, store);
            assertTrue(
                    completed.contains(7L) || disk.kind(source(isOwn).resolve("manifest")) == FileKind.FILE,
                    "neither the checkpoint nor the savepoint is there");
        }
    }

    private static void assertFiles(final SimulatedFileStore disk, final CheckpointStore store) {
        final Set<String> named = new TreeSet<>();
        final Set<String> folders = new TreeSet<>();
        for (final long id : store.completed()) {
            final Manifest manifest = store.load(id);
            assertEquals(id == 1 ? "one" : "seven", CheckpointSteps.text(store, manifest));
            folders.add("chk-" + id);
            manifest.tasks()
                    .forEach(task -> task.shared().forEach(segment -> {
                        named.add(segment.file());
                        assertTrue(CheckpointSteps.isThere(store, segment), segment::toString);
                    }));
        }
        final Set<String> there = new TreeSet<>(disk.list(FOLDER));
        assertTrue(there.removeAll(List.of("job", "lock", "counters", "adopted")));
        if (there.remove("shared")) {
            final Set<String> files = new TreeSet<>();
            disk.list(FOLDER.resolve("shared")).forEach(name -> files.add("shared/" + name));
            assertEquals(named, files);
        }
        assertEquals(folders, there);
    }

    private static void assertEnd(final SimulatedFileStore disk, final boolean isOwn, final boolean claim) {
        try (CheckpointStore store = open(disk)) {
            assertEquals(7, store.adopt(source(isOwn), claim));
            assertEquals(isOwn ? List.of(1L, 7L) : List.of(7L), store.completed());
            assertFiles(disk, store);
            assertEquals(2, store.nextAttempt());
            assertTrue(store.nextCheckpointId() > 7);
        }
        assertEquals(claim ? FileKind.ABSENT : FileKind.DIRECTORY, disk.kind(source(isOwn)));
    }

    @Test
    void shouldEndInTheSameStateWhereverTheMachineOrTheProcessDies() {
        for (final boolean isOwn : new boolean[] {true, false}) {
            for (final boolean claim : new boolean[] {true, false}) {
                final long operations = operations(isOwn, claim);
                assertTrue(operations > 50, "an adoption has only " + operations + " operations");
                for (int seed = 0; seed < SEEDS; seed++) {
                    for (long n = 1; n <= operations; n++) {
                        for (int death = 0; death < 4; death++) {
                            try {
                                dieAndAdoptAgain(seed, isOwn, claim, n, death);
                            } catch (final AssertionError | RuntimeException e) {
                                throw new AssertionError(
                                        "death " + death + " at operation " + n + ", own=" + isOwn + " claim=" + claim
                                                + " seed=" + seed + ": " + e,
                                        e);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void dieAndAdoptAgain(
            final int seed, final boolean isOwn, final boolean claim, final long n, final int death) {
        final SimulatedFileStore disk = disk(seed, isOwn);
        die(disk, isOwn, claim, n, death);
        assertBetween(disk, isOwn);
        disk.crash();
        adopt(disk, isOwn, claim);
        disk.crash();
        assertEnd(disk, isOwn, claim);
    }

    /** Before or after the operation; the process alone or the machine. */
    private static void die(
            final SimulatedFileStore disk, final boolean isOwn, final boolean claim, final long n, final int death) {
        if (death % 2 == 0) {
            disk.crashBefore(n);
        } else {
            disk.crashAfter(n);
        }
        try {
            adopt(disk, isOwn, claim);
        } catch (final SimulatedCrash e) {
            assertTrue(disk.isDead());
        }
        if (death < 2) {
            disk.crash();
        } else {
            disk.kill();
        }
    }

    @Test
    void shouldEndInTheSameStateWhicheverOperationFails() {
        for (final boolean isOwn : new boolean[] {true, false}) {
            for (final boolean claim : new boolean[] {true, false}) {
                final long operations = operations(isOwn, claim);
                for (long n = 1; n <= operations; n++) {
                    final SimulatedFileStore disk = disk(n, isOwn);
                    try (CheckpointStore store = open(disk)) {
                        disk.failAt(n);
                        try {
                            assertEquals(7, store.adopt(source(isOwn), claim));
                        } catch (final CheckpointStorageException e) {
                            assertTrue(e.getMessage().contains("simulated disk failed"), e::getMessage);
                        }
                        disk.calm();
                        assertEquals(7, store.adopt(source(isOwn), claim), "operation " + n);
                        assertFiles(disk, store);
                    }
                    disk.crash();
                    assertEnd(disk, isOwn, claim);
                }
            }
        }
    }

    @Test
    void shouldNotTakeAnAdoptionThatWasOnlyIntendedForDone() {
        // The process dies before the manifest is there, and the next one goes on without the savepoint.
        final long operations = operations(true, false);
        int refused = 0;
        for (long n = 1; n <= operations; n++) {
            final SimulatedFileStore disk = disk(n, true);
            die(disk, true, false, n, 2);
            try (CheckpointStore store = open(disk)) {
                final boolean isThere = store.completed().contains(7L);
                final long next = store.nextCheckpointId();
                CheckpointSteps.take(store, JOB, next, "text");
                if (isThere) {
                    assertEquals(next, store.adopt(source(true), false));
                    continue;
                }
                try {
                    store.adopt(source(true), false);
                    throw new AssertionError("operation " + n + ": taken for adopted");
                } catch (final CheckpointStorageException e) {
                    assertTrue(e.getMessage().contains("checkpoint " + next), e::getMessage);
                    refused++;
                }
            }
        }
        assertTrue(refused > 10, "only " + refused + " were not adopted");
    }
}
