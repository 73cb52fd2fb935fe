package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.inspect.InspectedJob;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.storage.state.HeapStateBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code weir checkpoints} says of checkpoints, good and bad, and what it deletes. */
final class CheckpointsTest {
    private static final long SEED = 20_261_202;

    @TempDir
    private Path temp;

    private Path checkpoints;
    private Path words;

    @BeforeEach
    void setUp() {
        checkpoints = temp.resolve("checkpoints");
        words = checkpoints.resolve("words");
    }

    /** Two checkpoints, the second of which rests on shared segments of the first too. */
    private InspectedJob job() {
        final InspectedJob job = new InspectedJob(new DiskFileStore(), checkpoints, new PagesStateBackend(), 2);
        job.put("BTC", 1);
        job.put("ETH", 2);
        job.checkpoint();
        job.put("BTC", 3);
        job.checkpoint();
        return job;
    }

    private void orphan() throws IOException {
        Files.createDirectories(words.resolve("chk-3"));
        Files.writeString(words.resolve("chk-3/count-0.segment"), "half");
        Files.writeString(words.resolve("shared/3-count-0-x.pages"), "orphan");
        Files.writeString(words.resolve("counters.tmp"), "torn");
    }

    private List<String> tree() throws IOException {
        try (Stream<Path> all = Files.walk(words)) {
            return all.map(path -> words.relativize(path).toString()).sorted().toList();
        }
    }

    private static List<String> lines(final Cli.Result result, final String kind) {
        return result.out().lines().filter(line -> line.startsWith(kind + " ")).toList();
    }

    @Test
    void shouldListTheCheckpointsOfAllJobs() throws IOException {
        try (InspectedJob job = job()) {
            Files.createDirectories(words.resolve("chk-3"));
            new FileCheckpointStorage(checkpoints).open("a job/of ours").close();

            final Cli.Result result =
                    Cli.run("checkpoints", "list", checkpoints).succeeded();

            assertEquals(
                    List.of(
                            "folder           " + checkpoints.resolve("a%20job%2fof%20ours"),
                            "folder           " + words),
                    lines(result, "folder"));
            final List<String> list = lines(result, "checkpoint");
            assertTrue(
                    list.get(0)
                            .matches(
                                    "checkpoint +1  checkpoint  completed  2020-09-13T12:26:40.001Z +1  pages +2 +2 +\\d+ +\\d+  -"),
                    result.out());
            assertTrue(list.get(1).endsWith("  newest"), result.out());
            assertTrue(list.get(2).matches("checkpoint +3  checkpoint  pending( +-){8}"), result.out());
            assertEquals(3, list.size());
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldShowOneCheckpointByItsFolderOrItsId() {
        try (InspectedJob job = job()) {
            final Cli.Result byId =
                    Cli.run("checkpoints", "show", words, "--id", "1").succeeded();

            assertEquals(
                    byId.out(),
                    Cli.run("checkpoints", "show", words.resolve("chk-1"))
                            .succeeded()
                            .out());
            assertEquals(List.of("inspected        1"), lines(byId, "inspected"));
            assertTrue(lines(byId, "operator").get(0).matches("operator +count +count +2"), byId.out());
            assertEquals(2, lines(byId, "task").size());
            assertFalse(lines(byId, "file").isEmpty());
            assertEquals(
                    List.of("inspected        2"),
                    lines(Cli.run("checkpoints", "show", checkpoints).succeeded(), "inspected"));
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldFindSoundWhatIsSound() throws IOException {
        try (InspectedJob job = job()) {
            Files.createDirectories(words.resolve("chk-3"));

            final Cli.Result result =
                    Cli.run("checkpoints", "verify", checkpoints).succeeded();

            final List<String> sound = lines(result, "sound");
            assertEquals(2, sound.size(), result.out());
            assertTrue(sound.get(1).matches("sound     chk-2  manifest and [4-9] files of \\d+ bytes"), result.out());
            assertEquals(List.of("pending   chk-3  not completed"), lines(result, "pending"));
            assertEquals(
                    1,
                    lines(Cli.run("checkpoints", "verify", words, "--id", "2").succeeded(), "sound")
                            .size());
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldFindEveryFlippedBitOfEveryFile() throws IOException {
        try (InspectedJob job = job()) {
            final Random random = new Random(SEED);
            final List<Path> files;
            try (Stream<Path> all = Files.walk(words)) {
                files = all.filter(file -> file.toString().matches(".*/(chk-./.*|shared/.*)"))
                        .sorted()
                        .toList();
            }
            for (int round = 0; round < 150; round++) {
                final Path file = files.get(round % files.size());
                final byte[] good = Files.readAllBytes(file);
                final byte[] bad = good.clone();
                final int at = random.nextInt(bad.length);
                bad[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, bad);

                final Cli.Result result = Cli.run("checkpoints", "verify", words);

                final String which = "round " + round + " of seed " + SEED + ", " + file + " at " + at + ": ";
                assertTrue(
                        result.failed(1).endsWith(" of 2 completed checkpoints in " + words + " are damaged"), which);
                assertFalse(lines(result, "damaged").isEmpty(), which + result.out());
                assertTrue(
                        lines(result, "damage").stream()
                                .allMatch(line -> line.contains(file.toString()) && line.contains("expected")),
                        which + result.out());
                Files.write(file, good);
            }
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldNameMissingCutAndGrownFiles() throws IOException {
        try (InspectedJob job = job()) {
            final Path own = words.resolve(job.last().tasks().get(0).segment().file());
            final Path shared = words.resolve(job.last().tasks().stream()
                    .flatMap(task -> task.shared().stream())
                    .findFirst()
                    .orElseThrow()
                    .file());
            for (final Path file : List.of(own, shared)) {
                final byte[] good = Files.readAllBytes(file);

                Files.delete(file);
                assertDamaged(file);
                Files.write(file, Arrays.copyOf(good, good.length - 1));
                assertDamaged(file);
                Files.write(file, Arrays.copyOf(good, good.length + 1));
                assertDamaged(file);
                Files.write(file, good);
            }
            Cli.run("checkpoints", "verify", words).succeeded();
        }
    }

    private void assertDamaged(final Path file) {
        final Cli.Result result = Cli.run("checkpoints", "verify", words);
        result.failed(1);
        assertTrue(lines(result, "damage").stream().anyMatch(line -> line.contains(file.toString())), result::out);
    }

    @Test
    void shouldListAndDeleteOrphansAndNothingElse() throws IOException {
        job().close();
        final List<String> needed = tree();
        orphan();
        final List<String> all = tree();

        final Cli.Result dry =
                Cli.run("checkpoints", "delete-orphans", words, "--dry-run").succeeded();
        assertEquals(
                List.of(
                        "orphan   checkpoint  4  chk-3",
                        "orphan   temporary  4  counters.tmp",
                        "orphan   shared  6  shared/3-count-0-x.pages"),
                lines(dry, "orphan"));
        assertTrue(dry.out().contains("would delete 3 orphans of 14 bytes in " + words), dry.out());
        assertEquals(all, tree());

        final Cli.Result deleted =
                Cli.run("checkpoints", "delete-orphans", checkpoints).succeeded();
        assertEquals(3, lines(deleted, "deleted ").size(), deleted.out());
        assertEquals(needed, tree());

        final Cli.Result again = Cli.run("checkpoints", "delete-orphans", words).succeeded();
        assertEquals("deleted 0 orphans of 0 bytes in " + words, again.out().strip());
    }

    @Test
    void shouldKeepSharedSegmentsThatAManifestMayNeedWhichCanNotBeRead() throws IOException {
        job().close();
        orphan();
        final Path manifest = words.resolve("chk-1/manifest");
        final byte[] bytes = Files.readAllBytes(manifest);
        bytes[bytes.length / 2] ^= 4;
        Files.write(manifest, bytes);

        final Cli.Result result = Cli.run("checkpoints", "delete-orphans", words);

        final String error = result.failed(1);
        assertTrue(
                error.startsWith(
                                "weir: all shared segments are kept, since a manifest that can't be read may need any of"
                                        + " them: " + manifest)
                        && error.contains("expected"),
                error);
        assertTrue(Files.exists(words.resolve("shared/3-count-0-x.pages")));
        assertFalse(Files.exists(words.resolve("chk-3")));
    }

    @Test
    void shouldDeleteNothingWhileAJobUsesTheFolder() throws IOException {
        try (InspectedJob job = job()) {
            orphan();
            final List<String> all = tree();

            assertEquals(
                    "weir: checkpoint folder " + words + " is in use by a running process (or twice by this one)",
                    Cli.run("checkpoints", "delete-orphans", words).failed(1));

            assertEquals(all, tree());
            assertEquals(2, job.last().checkpointId());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "show", "verify", "delete-orphans"})
    void shouldRefuseWhatIsNoCheckpointFolder(final String command) throws IOException {
        final Path file = Files.createFile(temp.resolve("a file\nof two lines"));
        final Path empty = Files.createDirectory(temp.resolve("leer \u00e4\u00f6\u00fc"));
        final Path foreign = Files.createDirectories(temp.resolve("foreign"));
        Files.createFile(foreign.resolve("chk-x"));

        assertRefused(command, temp.resolve("nowhere"), "there is no checkpoint folder " + temp.resolve("nowhere"));
        assertRefused(command, file, "checkpoint folder " + file.toString().replace("\n", " ") + " is not a folder");
        for (final Path folder : List.of(empty, foreign)) {
            assertRefused(
                    command,
                    folder,
                    folder
                            + " is not a checkpoint folder: it holds neither checkpoints (chk-N) nor the folder of a job");
        }
        assertTrue(Cli.run("checkpoints", command).failed(2).contains("Missing required parameter"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "show", "verify", "delete-orphans"})
    void shouldRefuseAFolderWithoutPermission(final String command) throws IOException {
        job().close();
        Files.setPosixFilePermissions(words, PosixFilePermissions.fromString("---------"));
        try {
            assumeFalse(Files.isReadable(words), "root may read everything");
            final String error = Cli.run("checkpoints", command, words).failed(2);
            assertTrue(error.contains(words + "") && error.contains("permission denied"), error);
        } finally {
            Files.setPosixFilePermissions(words, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static void assertRefused(final String command, final Path folder, final String why) {
        assertEquals(
                "weir checkpoints " + command + ": " + why + " (see weir checkpoints " + command + " --help)",
                Cli.run("checkpoints", command, folder).failed(2));
    }

    /** A savepoint of two tasks that hold nothing but a list. */
    private static Path savepoint(final InspectedJob job, final long id, final Path directory) {
        final Path folder = job.store().beginSavepoint(id, directory);
        final List<Manifest.TaskPart> parts = new ArrayList<>();
        for (int task = 0; task < 2; task++) {
            try (SegmentWriter writer = job.store().createSegment(id, "count-" + task)) {
                writer.beginSection("operator/count/seen", "list");
                writer.entry(-1, new UnsafeBuffer(new byte[] {1, 2, 3}), 0, 3);
                parts.add(new Manifest.TaskPart("count", List.of("count"), task, 2, false, writer.finish(), List.of()));
            }
        }
        job.store().publish(new Manifest("words", id, 1, 1_600_000_000_000L + id, 32, "pages", parts));
        return folder;
    }

    @Test
    void shouldListShowAndVerifySavepointsToo() throws IOException {
        final Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        try (InspectedJob job = job()) {
            final Path inside = savepoint(job, 7, null);
            final Path outside = savepoint(job, 8, elsewhere);
            final Path moved = Files.move(outside, temp.resolve("moved and renamed"));
            job.store().beginSavepoint(9, null);

            final Cli.Result list = Cli.run("checkpoints", "list", words).succeeded();
            assertTrue(lines(list, "checkpoint").get(1).endsWith("  newest"), list.out());
            assertTrue(
                    lines(list, "checkpoint").get(2).matches("checkpoint +7  savepoint   completed .*  -"), list.out());
            assertTrue(lines(list, "checkpoint").get(3).matches("checkpoint +9  savepoint   pending .*"), list.out());

            final Cli.Result all = Cli.run("checkpoints", "verify", words).succeeded();
            assertEquals(
                    List.of("sound     savepoint-7  manifest and 2 files"),
                    lines(all, "sound").subList(2, 3).stream()
                            .map(line -> line.replaceFirst(" of .*", ""))
                            .toList());
            assertEquals(List.of("pending   savepoint-9  not completed"), lines(all, "pending"));

            assertEquals(
                    List.of("inspected        8"),
                    lines(Cli.run("checkpoints", "show", moved).succeeded(), "inspected"));
            assertEquals(
                    Cli.run("checkpoints", "show", inside).succeeded().out(),
                    Cli.run("checkpoints", "show", words, "--id", "7")
                            .succeeded()
                            .out());
            assertEquals(
                    1,
                    lines(Cli.run("checkpoints", "verify", moved).succeeded(), "sound")
                            .size());
            assertTrue(Cli.run("checkpoints", "delete-orphans", moved)
                    .failed(2)
                    .contains(moved + " is a savepoint, not the folder of a job"));
            final Path segment = moved.resolve("count-1.segment");
            Files.write(segment, Arrays.copyOf(Files.readAllBytes(segment), 40));
            assertEquals(
                    1, lines(Cli.run("checkpoints", "verify", moved), "damaged").size());
        }
        final Cli.Result deleted =
                Cli.run("checkpoints", "delete-orphans", words).succeeded();
        assertEquals(List.of("deleted  savepoint  0  savepoint-9"), lines(deleted, "deleted "));
        assertTrue(Files.isDirectory(words.resolve("savepoint-7")));
    }

    @Test
    void shouldRefuseCheckpointsThatAreNotThere() throws IOException {
        try (InspectedJob job = job()) {
            Files.createDirectories(words.resolve("chk-3"));
            for (final String command : List.of("show", "verify")) {
                assertTrue(Cli.run("checkpoints", command, words, "--id", "9")
                        .failed(2)
                        .contains("checkpoint 9 in " + words + " is not there"));
                assertTrue(Cli.run("checkpoints", command, words, "--id", "3")
                        .failed(2)
                        .contains("checkpoint 3 in " + words + " is not completed"));
                assertTrue(Cli.run("checkpoints", command, words.resolve("chk-1"), "--id", "2")
                        .failed(2)
                        .contains("is checkpoint 1, but --id says 2"));
                assertTrue(Cli.run("checkpoints", command, words, "--id", "0")
                        .failed(2)
                        .contains("--id 0 must be at least 1"));
            }
            assertTrue(Cli.run("checkpoints", "delete-orphans", words.resolve("chk-1"))
                    .failed(2)
                    .contains("is the folder of one checkpoint, name its job's: " + words));
            assertEquals(2, job.last().checkpointId());
        }
    }

    @Test
    void shouldAskWhichOfSeveralJobsIsMeant() {
        job().close();
        new InspectedJob(new DiskFileStore(), temp.resolve("one"), new HeapStateBackend(), 1).close();
        new FileCheckpointStorage(checkpoints).open("other").close();

        for (final String command : List.of("show", "delete-orphans")) {
            assertTrue(Cli.run("checkpoints", command, checkpoints)
                    .failed(2)
                    .contains(checkpoints + " holds the checkpoints of several jobs, name one of [other, words]"));
        }
        assertEquals(
                "weir: no checkpoint in " + temp.resolve("one/words") + " is completed",
                Cli.run("checkpoints", "show", temp.resolve("one")).failed(1));
    }
}
