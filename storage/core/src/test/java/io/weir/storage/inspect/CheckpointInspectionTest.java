package io.weir.storage.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckpointInspectionTest {
    private static final Path ROOT = Path.of("/").toAbsolutePath();
    private static final Path JOB = ROOT.resolve("words");
    private static final int ROUNDS = 400;
    private static final long SEED = 20_261_201;
    private static final Pattern DAMAGE =
            Pattern.compile("/words/.*: expected .+, found .+|.*can't be read.*", Pattern.DOTALL);

    private final MemoryFileStore files = new MemoryFileStore();

    static Stream<StateBackend> backends() {
        return Stream.of(new HeapStateBackend(), new PagesStateBackend());
    }

    /** A job with some hundred words, several checkpoints and small changes between them. */
    private InspectedJob job(final StateBackend backend, final int parallelism) {
        final InspectedJob job = new InspectedJob(files, ROOT, backend, parallelism);
        for (int i = 0; i < 400; i++) {
            job.put("word-" + i, i);
        }
        job.put("x".repeat(5000), 7);
        job.checkpoint();
        for (int i = 0; i < 400; i += 40) {
            job.put("word-" + i, 1000 + i);
        }
        job.checkpoint();
        job.put("word-3", 3000);
        job.checkpoint();
        return job;
    }

    private CheckpointFolder folder() {
        return CheckpointFolder.at(readOnly(path -> {}), JOB);
    }

    private HookedFileStore readOnly(final Consumer<Path> beforeOpen) {
        return new HookedFileStore(files, beforeOpen);
    }

    private static Map<String, Long> entries(final CheckpointInspection inspection) {
        final Map<String, Long> entries = new TreeMap<>();
        inspection.forEach(InspectedJob.STATE, new EntryVisitor() {
            @Override
            public void onValue(final int keyGroup, final DirectBuffer key, final DirectBuffer value) {
                assertEquals(InspectedJob.keyGroup(key), keyGroup);
                final String word = key.getStringWithoutLengthUtf8(0, key.capacity());
                assertNull(entries.put(word, value.getLong(0, java.nio.ByteOrder.LITTLE_ENDIAN)), word);
            }

            @Override
            public void onTimer(final int keyGroup, final long time, final DirectBuffer key) {
                throw new AssertionError("a timer among values");
            }
        });
        return entries;
    }

    private static long timers(final CheckpointInspection inspection) {
        final long[] count = new long[1];
        inspection.forEach(InspectedJob.TIMERS, new EntryVisitor() {
            @Override
            public void onValue(final int keyGroup, final DirectBuffer key, final DirectBuffer value) {
                throw new AssertionError("a value among timers");
            }

            @Override
            public void onTimer(final int keyGroup, final long time, final DirectBuffer key) {
                count[0]++;
            }
        });
        return count[0];
    }

    private static InspectedTable total(final CheckpointInspection inspection, final String name) {
        return inspection.tasks().stream()
                .flatMap(task -> task.tables().stream())
                .filter(table -> table.name().equals(name))
                .reduce((a, b) -> new InspectedTable(
                        a.isTimers(),
                        a.name(),
                        a.keyCodec(),
                        a.valueCodec(),
                        a.keyGroups() + b.keyGroups(),
                        a.entries() + b.entries(),
                        a.bytes() + b.bytes(),
                        a.isIntact() && b.isIntact()))
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTellWhatACheckpointHoldsWhileItsJobRuns(final StateBackend backend) {
        try (InspectedJob job = job(backend, 2);
                CheckpointInspection inspection = CheckpointInspection.openNewest(folder())) {
            final InspectedTable state = total(inspection, InspectedJob.STATE);
            final InspectedTable timers = total(inspection, InspectedJob.TIMERS);

            assertEquals(List.of(), inspection.damages());
            assertEquals(job.last(), inspection.manifest());
            assertEquals(3, inspection.checkpointId());
            assertEquals(job.sums(), entries(inspection));
            assertEquals(job.sums().size(), state.entries());
            assertEquals(InspectedJob.MAX_PARALLELISM, state.keyGroups());
            assertEquals("string", state.keyCodec());
            assertEquals("string", timers.keyCodec());
            assertEquals("1 1", state.keyVersion() + " " + state.valueVersion());
            assertEquals("long", state.valueCodec());
            assertTrue(state.isIntact() && timers.isIntact());
            assertTrue(state.bytes() > 0);
            assertEquals(timers.entries(), timers(inspection));
            assertEquals(job.sums().size() + 11, timers.entries());
            assertEquals(List.of(InspectedJob.STATE, InspectedJob.TIMERS), inspection.tableNames());
            assertEquals("count/1", inspection.tasks().get(1).name());
            assertEquals(1, inspection.tasks().get(0).sections().get(0).entries());
            assertEquals(
                    job.last().tasks().get(0).shared().size(),
                    inspection.tasks().get(0).chain().size());
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldListAllCheckpointsAlsoPendingOnes(final StateBackend backend) {
        try (InspectedJob job = job(backend, 1)) {
            job.store().createSegment(9, "count-0");

            final List<CheckpointOverview> list = CheckpointOverview.list(folder());

            assertEquals(
                    List.of(1L, 2L, 3L, 9L),
                    list.stream().map(CheckpointOverview::checkpointId).toList());
            assertEquals(
                    List.of(true, true, true, false),
                    list.stream().map(CheckpointOverview::isCompleted).toList());
            assertTrue(list.get(2).ownBytes() + list.get(2).sharedBytes()
                    > job.last().tasks().get(0).segment().length() - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldReadOldCheckpointsAndSingleFolders(final StateBackend backend) {
        try (InspectedJob job = job(backend, 1);
                CheckpointInspection first = CheckpointInspection.open(folder(), 1);
                CheckpointInspection second = CheckpointInspection.openNewest(
                        CheckpointFolder.at(readOnly(path -> {}), JOB.resolve("chk-2")))) {
            assertEquals(3L, entries(first).get("word-3"));
            assertEquals(40L, entries(first).get("word-40"));
            assertEquals(3, job.last().checkpointId());
            assertEquals(2, second.checkpointId());
            assertEquals(1040L, entries(second).get("word-40"));
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldReadRescaledChains(final StateBackend backend) {
        try (InspectedJob job = job(backend, 1)) {
            for (final int parallelism : new int[] {2, 3, 1, 4}) {
                job.rescale(parallelism);
                job.put("word-" + parallelism, 50_000 + parallelism);
                job.checkpoint();

                try (CheckpointInspection inspection = CheckpointInspection.openNewest(folder())) {
                    assertEquals(List.of(), inspection.damages());
                    assertEquals(job.sums(), entries(inspection));
                    assertEquals(
                            job.sums().size(),
                            total(inspection, InspectedJob.STATE).entries());
                    assertEquals(parallelism, inspection.tasks().size());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldNeverFailOnDamageAndLeaveNoneOut(final StateBackend backend) {
        try (InspectedJob job = job(backend, 2)) {
            final Random random = new Random(SEED);
            final List<Path> paths = files(job.last());
            int partly = 0;
            for (int round = 0; round < ROUNDS; round++) {
                final String which = backend.name() + ", round " + round + " of seed " + SEED;
                final Path path = paths.get(random.nextInt(paths.size()));
                final byte[] good = DurableFile.read(files, path, 1 << 30);
                final byte[] bad = damaged(good, random);
                replace(path, bad);
                try (CheckpointInspection inspection = CheckpointInspection.openNewest(folder())) {
                    final Map<String, Long> entries = entries(inspection);
                    assertEquals(
                            !Arrays.equals(good, bad), !inspection.damages().isEmpty(), which);
                    inspection
                            .damages()
                            .forEach(damage ->
                                    assertTrue(DAMAGE.matcher(damage).matches(), () -> which + ": " + damage));
                    assertTrue(job.sums().entrySet().containsAll(entries.entrySet()), which);
                    assertTrue(timers(inspection) <= job.sums().size() + 11, which);
                    partly += entries.isEmpty() || entries.size() == job.sums().size() ? 0 : 1;
                    assertFalse(CheckpointOverview.list(folder()).isEmpty());
                } catch (final RuntimeException | AssertionError e) {
                    throw new AssertionError(which + " in " + path, e);
                }
                replace(path, good);
            }
            assertTrue(partly > ROUNDS / 4, "only " + partly + " were read in part");
        }
    }

    private static List<Path> files(final Manifest manifest) {
        final List<Path> paths = new ArrayList<>();
        paths.add(JOB.resolve("chk-" + manifest.checkpointId()).resolve("manifest"));
        for (final Manifest.TaskPart part : manifest.tasks()) {
            paths.add(JOB.resolve(part.segment().file()));
            part.shared().stream().map(SegmentHandle::file).map(JOB::resolve).forEach(paths::add);
        }
        return paths;
    }

    private static byte[] damaged(final byte[] good, final Random random) {
        final byte[] bytes = good.clone();
        switch (random.nextInt(6)) {
            case 0 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 1 -> {
                final int start = random.nextInt(bytes.length);
                Arrays.fill(bytes, start, Math.min(bytes.length, start + 1 + random.nextInt(512)), (byte) 0);
            }
            case 2 -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            }
            default -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private void replace(final Path path, final byte[] bytes) {
        files.delete(path);
        try (OpenFile file = files.create(path)) {
            file.write(0, ByteBuffer.wrap(bytes));
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTellOfMissingSegmentsAndReadTheRest(final StateBackend backend) {
        try (InspectedJob job = job(backend, 2)) {
            final Manifest.TaskPart part = job.last().tasks().get(0);
            final String gone = part.shared().isEmpty()
                    ? part.segment().file()
                    : part.shared().get(0).file();
            files.delete(JOB.resolve(gone));

            try (CheckpointInspection inspection = CheckpointInspection.openNewest(folder())) {
                assertEquals(1, inspection.damages().size());
                assertTrue(inspection.damages().get(0).startsWith(JOB.resolve(gone) + " at offset 0: expected"));
                assertTrue(inspection.damages().get(0).endsWith("found no file"));
                assertFalse(entries(inspection).isEmpty());
                assertTrue(inspection.tasks().get(1).tables().stream().allMatch(InspectedTable::isIntact));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTakeTheNextOneWhenTheNewestVanishes(final StateBackend backend) {
        try (InspectedJob job = job(backend, 2)) {
            final boolean[] done = new boolean[1];
            final CheckpointFolder folder = CheckpointFolder.at(
                    readOnly(path -> {
                        if (!done[0] && path.toString().endsWith(".segment")) {
                            done[0] = true;
                            job.put("word-5", 5555);
                            job.checkpoint();
                            job.store().delete(3);
                        }
                    }),
                    JOB);

            try (CheckpointInspection inspection = CheckpointInspection.openNewest(folder)) {
                assertEquals(4, inspection.checkpointId());
                assertEquals(List.of(), inspection.damages());
                assertEquals(job.sums(), entries(inspection));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldReadOnWhenTheCheckpointIsDeletedOnceItIsOpen(final StateBackend backend) {
        try (InspectedJob job = job(backend, 2);
                CheckpointInspection inspection = CheckpointInspection.openNewest(folder())) {
            final Map<String, Long> expected = new TreeMap<>(job.sums());
            job.put("word-5", 5555);
            job.checkpoint();
            job.store().delete(3);

            assertEquals(expected, entries(inspection));
            assertEquals(List.of(), inspection.damages());
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldTellThatAChosenCheckpointIsGone(final StateBackend backend) {
        try (InspectedJob job = job(backend, 1)) {
            final CheckpointFolder vanishing = CheckpointFolder.at(
                    readOnly(path -> {
                        if (path.toString().endsWith("chk-2/count-0.segment")) {
                            job.store().delete(2);
                        }
                    }),
                    JOB);

            final String vanished = assertThrows(
                            CheckpointStorageException.class, () -> CheckpointInspection.open(vanishing, 2))
                    .getMessage();
            final String absent = assertThrows(
                            CheckpointStorageException.class, () -> CheckpointInspection.open(folder(), 77))
                    .getMessage();

            assertEquals("checkpoint 2 in /words was deleted while it was being read; completed are [1, 3]", vanished);
            assertEquals("checkpoint 77 in /words is not there; completed are [1, 3]", absent);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void shouldRefuseFoldersThatAreNone(final StateBackend backend) {
        files.createDirectory(ROOT.resolve("empty"));
        try (InspectedJob job = new InspectedJob(files, ROOT, backend, 1)) {
            assertEquals(List.of(), CheckpointOverview.list(folder()));
            assertNull(CheckpointInspection.openNewest(folder()));
            assertEquals(JOB, CheckpointFolder.at(files, ROOT).path());
            assertTrue(job.sums().isEmpty());
        }

        assertEquals(
                "/empty is not a checkpoint folder: it holds neither checkpoints (chk-N) nor the folder of a job",
                refused(ROOT.resolve("empty")));
        assertEquals("there is no checkpoint folder /nowhere", refused(ROOT.resolve("nowhere")));
        assertEquals("checkpoint folder /words/job is not a folder", refused(JOB.resolve("job")));
    }

    private String refused(final Path path) {
        return assertThrows(CheckpointStorageException.class, () -> CheckpointFolder.at(files, path))
                .getMessage();
    }
}
