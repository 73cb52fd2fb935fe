package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.checkpoint.OrphanSweep.Orphan;
import io.weir.storage.checkpoint.OrphanSweep.OrphanKind;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists and deletes what no completed checkpoint needs, and nothing else. */
final class OrphanSweepTest {
    private static final Path FOLDER = Path.of("/job");

    private final MemoryFileStore files = new MemoryFileStore();
    private final List<SegmentHandle> needed = new ArrayList<>();

    /** Checkpoint 1 rests on a shared segment; 2 was never completed, and wrote two files. */
    private void live() {
        try (CheckpointStore store = open()) {
            needed.add(CheckpointSteps.writeShared(store, 1, "needed"));
            store.publish(CheckpointSteps.manifest("job", 1, needed));
            CheckpointSteps.write(store, 2, "unfinished", "x".repeat(1000));
            CheckpointSteps.writeShared(store, 2, "orphan");
        }
        write(FOLDER.resolve("counters.tmp"), 10);
        write(FOLDER.resolve("chk-1/manifest.tmp"), 20);
    }

    private CheckpointStore open() {
        return new FileCheckpointStorage(files, Path.of("/")).open("job");
    }

    private void write(final Path path, final int length) {
        try (OpenFile file = files.create(path)) {
            file.write(0, ByteBuffer.allocate(length));
        }
    }

    private OrphanSweep claim() {
        return OrphanSweep.claim(CheckpointFolder.at(files, FOLDER));
    }

    private static List<String> names(final List<Orphan> orphans) {
        return orphans.stream()
                .map(orphan -> orphan.kind() + " " + FOLDER.relativize(orphan.path()))
                .toList();
    }

    @Test
    void shouldListWhatNobodyNeedsAndDeleteThat() {
        live();
        final List<Orphan> deleted = new ArrayList<>();
        try (OrphanSweep sweep = claim()) {
            assertEquals(
                    List.of(
                            "CHECKPOINT chk-2",
                            "TEMPORARY chk-1/manifest.tmp",
                            "TEMPORARY counters.tmp",
                            "SHARED shared/2-orphan-x.pages"),
                    names(sweep.orphans()));
            assertTrue(sweep.orphans().get(0).bytes() > 1000);
            assertEquals(20, sweep.orphans().get(1).bytes());

            sweep.delete(deleted::add);

            assertEquals(sweep.orphans(), deleted);
            assertEquals(List.of(), sweep.unreadable());
        }
        assertEquals(List.of("chk-1", "counters", "job", "lock", "shared"), files.list(FOLDER));
        try (CheckpointStore store = open()) {
            assertEquals(List.of(1L), store.completed());
            assertTrue(CheckpointSteps.isThere(store, needed.get(0)));
        }
        try (OrphanSweep again = claim()) {
            assertEquals(List.of(), again.orphans());
        }
    }

    @Test
    void shouldKeepAllSharedSegmentsWhileAManifestCanNotBeRead() {
        live();
        try (OpenFile manifest = files.open(FOLDER.resolve("chk-1/manifest"))) {
            manifest.write(20, ByteBuffer.allocate(8));
        }
        try (OrphanSweep sweep = claim()) {
            assertEquals(
                    List.of("CHECKPOINT chk-2", "TEMPORARY chk-1/manifest.tmp", "TEMPORARY counters.tmp"),
                    names(sweep.orphans()));
            assertEquals(1, sweep.unreadable().size());
            assertTrue(sweep.unreadable().get(0).contains("chk-1/manifest"), sweep.unreadable()::toString);
            sweep.delete(orphan -> assertTrue(orphan.kind() != OrphanKind.SHARED, orphan::toString));
        }
        assertEquals(List.of("1-needed-x.pages", "2-orphan-x.pages"), files.list(FOLDER.resolve("shared")));
    }

    @Test
    void shouldRefuseAFolderThatIsInUse() {
        try (CheckpointStore store = open()) {
            assertEquals(List.of(), store.completed());
            final CheckpointStorageException e = assertThrows(CheckpointStorageException.class, this::claim);
            assertTrue(e.getMessage().contains("/job is in use by a running process"), e::getMessage);
        }
        try (OrphanSweep sweep = claim()) {
            assertEquals(List.of(), sweep.orphans());
            assertThrows(CheckpointStorageException.class, this::open);
        }
    }

    @Test
    void shouldLeaveWhatIsNotOurs() {
        live();
        write(FOLDER.resolve("shared/notes.txt"), 5);
        write(FOLDER.resolve("readme"), 5);
        files.createDirectory(FOLDER.resolve("chk-03"));
        try (OrphanSweep sweep = claim()) {
            sweep.delete(orphan -> {});
        }
        assertEquals(List.of("chk-03", "chk-1", "counters", "job", "lock", "readme", "shared"), files.list(FOLDER));
        assertEquals(List.of("1-needed-x.pages", "notes.txt"), files.list(FOLDER.resolve("shared")));
    }

    @Test
    void shouldRefuseAFolderWhoseOwnerIsDamaged() {
        live();
        try (OpenFile job = files.open(FOLDER.resolve("job"))) {
            job.write(8, ByteBuffer.allocate(4));
        }
        final CheckpointStorageException e = assertThrows(CheckpointStorageException.class, this::claim);
        assertTrue(e.getMessage().startsWith("checkpoint folder /job is damaged"), e::getMessage);
    }
}
