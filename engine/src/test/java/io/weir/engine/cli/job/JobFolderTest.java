package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobFolderTest {
    private static final InputMark MARK = new InputMark(7, 9);
    private static final JobSpec OTHER = new JobSpec("stats", "/b.csv", new InputMark(9, 9), 61, 6, "id");
    private static final JobSpec SPEC = new JobSpec("ohlc", "/in.csv", MARK, 60, 5, null);

    @TempDir
    private Path temp;

    private Path path;

    @BeforeEach
    void setUp() {
        path = temp.resolve("new").resolve("out");
    }

    @Test
    void shouldReopenWithTheSameSettings() {
        begun(SPEC);

        try (JobFolder folder = JobFolder.open(path, SPEC)) {
            assertEquals(path, folder.path());
            assertTrue(Files.isDirectory(folder.scratch()));
            assertFalse(folder.isFinished());
        }
        assertFalse(Files.exists(path.resolve("scratch")));
    }

    @Test
    void shouldNameTheSettingThatDiffers() throws IOException {
        begun(SPEC);
        withFile("checkpoints/ohlc/chk-1/manifest");

        assertEquals(
                path
                        + " belongs to a job with other settings: --lateness was 5ns and is now 6ns; go on with the"
                        + " old setting or choose another --output",
                refusal(new JobSpec("ohlc", "/in.csv", MARK, 60, 6, null)));
        assertTrue(
                refusal(new JobSpec("stats", "/in.csv", MARK, 60, 5, null)).contains("job was ohlc and is now stats"));
        assertTrue(refusal(new JobSpec("ohlc", "/b.csv", MARK, 60, 5, null)).contains("--input was /in.csv"));
        assertTrue(refusal(new JobSpec("ohlc", "/in.csv", new InputMark(8, 9), 60, 5, null))
                .contains("length of the input was 7 bytes"));
        assertEquals(
                path
                        + " belongs to a job with other input: checksum of the input was crc32c 00000009 and is now"
                        + " crc32c 0000000a; go on with the old input or choose another --output",
                refusal(new JobSpec("ohlc", "/in.csv", new InputMark(7, 10), 60, 5, null)));
        assertTrue(
                refusal(new JobSpec("ohlc", "/in.csv", MARK, 60, 5, "id")).contains("--dedup was none and is now id"));
        assertTrue(refusal(new JobSpec("ohlc", "/in.csv", MARK, 61, 5, null)).contains("--window was 60ns"));
    }

    /** The parallelism was part of what a folder remembers, and a job went on with the same only. */
    @Test
    void shouldGoOnInAFolderThatRemembersAParallelism() throws IOException {
        Files.createDirectories(path);
        Files.write(
                path.resolve("job"),
                List.of(
                        "job = ohlc",
                        "--input = /in.csv",
                        "length of the input = 7 bytes",
                        "checksum of the input = crc32c 00000009",
                        "--window = 60ns",
                        "--lateness = 5ns",
                        "--dedup = none",
                        "--parallelism = 2",
                        "checksum = crc32c 612000aa"));
        withFile("checkpoints/ohlc/chk-1/manifest");

        JobFolder.open(path, SPEC).close();

        assertTrue(refusal(OTHER).contains("job was ohlc and is now stats"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkpoints/ohlc/chk-1/manifest", "windows/a.cq4", "late/a.cq4", "finished"})
    void shouldBelongToItsJobOnceItHasACheckpointOrResults(final String file) throws IOException {
        begun(SPEC);
        withFile(file);

        assertTrue(refusal(OTHER).contains("job was ohlc and is now stats"));
        JobFolder.open(path, SPEC).close();
        assertTrue(Files.exists(path.resolve(file)));
    }

    @Test
    void shouldTakeOtherSettingsBeforeItsFirstCheckpoint() throws IOException {
        begun(SPEC);
        withFile("checkpoints/ohlc/job");
        withFile("checkpoints/ohlc/chk-1/0.segment");
        withFile("windows/metadata.cq4t");

        begun(OTHER);

        assertFalse(Files.exists(path.resolve("checkpoints")));
        assertFalse(Files.exists(path.resolve("windows")));
        withFile("checkpoints/stats/chk-1/manifest");
        assertTrue(refusal(SPEC).contains("job was stats and is now ohlc"));
    }

    @Test
    void shouldRefuseAFolderThatHoldsSomethingElse() throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve("letter.txt"), "dear");

        assertEquals(
                path + " is not empty and holds no job: give the job a folder of its own with --output", refusal(SPEC));
        assertEquals("dear", Files.readString(path.resolve("letter.txt")));
    }

    @Test
    void shouldRefuseAFile() throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "x");

        assertEquals(path + " is not a folder", refusal(SPEC));
    }

    @Test
    void shouldRefuseAFolderThatIsInUse() {
        try (JobFolder folder = JobFolder.open(path, SPEC)) {
            assertEquals(folder.path() + " is in use by this process", refusal(SPEC));
        }
        JobFolder.open(path, SPEC).close();
    }

    @Test
    void shouldSayThatTheJobFileIsDamagedWhicheverBitFlipped() throws IOException {
        begun(SPEC);
        final Path job = path.resolve("job");
        final byte[] bytes = Files.readAllBytes(job);
        for (int i = 0; i < bytes.length; i++) {
            final byte[] flipped = bytes.clone();
            flipped[i] ^= (byte) (1 << (i % 8));
            Files.write(job, flipped);
            final String refusal = refusal(SPEC);
            assertTrue(refusal.startsWith(job + " is damaged: ") && refusal.contains("checksum"), refusal);
            Files.write(job, Arrays.copyOf(bytes, i));
            assertTrue(refusal(SPEC).startsWith(job + " is damaged: "), "cut at " + i);
        }
        Files.write(job, bytes);
        JobFolder.open(path, SPEC).close();
    }

    @Test
    void shouldLeaveNothingOfAJobThatNeverBegan() throws IOException {
        JobFolder.open(path, SPEC).close();
        assertFalse(Files.exists(path.getParent()));

        Files.createDirectories(path);
        JobFolder.open(path, SPEC).close();
        assertTrue(Files.exists(path));

        final Path other = temp.resolve("other").resolve("out");
        try (JobFolder folder = JobFolder.open(other, SPEC)) {
            Files.writeString(folder.path().resolveSibling("letter.txt"), "dear");
        }
        assertFalse(Files.exists(other));
        assertTrue(Files.exists(other.resolveSibling("letter.txt")));
    }

    @Test
    void shouldGoOnAfterACrashBeforeTheSettingsWereKept() throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve("lock"), "");
        Files.writeString(path.resolve("job.123.tmp"), "half");

        begun(SPEC);

        assertTrue(Files.exists(path.resolve("job")));
    }

    @Test
    void shouldRememberThatTheJobHasFinished() {
        try (JobFolder folder = JobFolder.open(path, SPEC)) {
            folder.begin();
            folder.finish("10 records");
        }

        try (JobFolder folder = JobFolder.open(path, SPEC)) {
            assertTrue(folder.isFinished());
            assertEquals("10 records", folder.summary());
        }
    }

    @Test
    void shouldBelongToNoJobBeforeOneBegins() {
        JobFolder.open(path, SPEC).close();

        JobFolder.open(path, OTHER).close();

        assertFalse(Files.exists(path.resolve("job")));
    }

    private void withFile(final String name) throws IOException {
        Files.createDirectories(path.resolve(name).getParent());
        Files.writeString(path.resolve(name), "");
    }

    private void begun(final JobSpec spec) {
        try (JobFolder folder = JobFolder.open(path, spec)) {
            folder.begin();
        }
    }

    private String refusal(final JobSpec spec) {
        return assertThrows(JobFolderException.class, () -> JobFolder.open(path, spec))
                .getMessage();
    }
}
