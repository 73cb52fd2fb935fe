package io.weir.engine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.data.DataSets;
import io.weir.engine.cli.export.CsvExport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever goes wrong ends with one clear line and a status, and nothing is lost. */
class RunErrorTest {
    private static final String HEADER = "source,arrival,sub,key,event_ns,price,qty";
    private static final String EXPECTED = "bitstamp-trades/expected/tumbling_60s.csv";

    @TempDir
    private Path temp;

    private Path output;
    private Path csv;

    @BeforeEach
    void setUp() {
        output = temp.resolve("out");
        csv = temp.resolve("out.csv");
    }

    @Test
    void shouldFailAtAMalformedLineWithFileLineAndReason() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2", "s,1,0,k,2,oops,2", "s,2,0,k,3,1.5,2");

        assertEquals(
                "weir: " + input + " line 3: column 'price': not a decimal number: 'oops'",
                ohlc(input).failed(1));
        assertFalse(Files.exists(csv));
    }

    @Test
    void shouldSkipCountAndReportMalformedLinesIfAskedTo() throws IOException {
        final Path input = write(
                "s,0,0,k,1,1.5,2",
                "s,1,0,k,2,oops,2",
                "s,2,0,k",
                "s,3,0,k,3,2.5,2,9",
                "s,4,0,k,,2.5,2",
                "s,5,0,k,3,3,1");

        final Cli.Result result = ohlc(input, "--on-bad-record", "skip").succeeded();

        assertTrue(result.out().contains("skipped 4 bad records in the whole job:\n"), result.out());
        assertTrue(result.out().contains(input + " line 4: the row ends before column 'event_ns'"), result.out());
        assertEquals(
                List.of(
                        "source,key,window_start_ns,window_end_ns,count,open,high,low,close,volume,notional,vwap",
                        "s,k,0,60000000000,2,1.5,3,1.5,3,3,6,2"),
                Files.readAllLines(csv));
    }

    @Test
    void shouldTakeAQuoteThatIsNeverClosedForOneBadRecord() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2", "s,1,0,\"k,2,9,9", "t,0,0,k,2,1,1", "s,2,0,k,3,2.5,2");
        final String bad = input + " line 3: column 'key': the quote is never closed";
        assertEquals("weir: " + bad, ohlc(input).failed(1));

        final Cli.Result result = ohlc(input, "--on-bad-record", "skip").succeeded();

        assertTrue(result.out().contains("skipped 1 bad record in the whole job:\n"), result.out());
        assertTrue(result.out().contains(bad), result.out());
        assertEquals(
                List.of("s,k,0,60000000000,2,1.5,2.5,1.5,2.5,4,8,2", "t,k,0,60000000000,1,1,1,1,1,1,1,1"),
                Files.readAllLines(csv).stream().skip(1).toList());
    }

    @Test
    void shouldLoseNothingWhenAJobThatFailedGoesOnWithSkip() throws IOException {
        final Path input = ticksWithABadLastLine();
        assertTrue(ohlc(input, "--checkpoint-interval", "1ms").failed(1).contains(" line 45184: "));

        ohlc(input, "--checkpoint-interval", "1ms", "--on-bad-record", "skip").succeeded();

        assertEquals(DataSets.lines(EXPECTED), Files.readAllLines(csv));
    }

    @Test
    void shouldNameAMissingFile() {
        final Path input = temp.resolve("none.csv");

        assertEquals("weir: " + input + " does not exist", ohlc(input).failed(1));
        assertFalse(Files.exists(output));
    }

    @Test
    void shouldNameMissingColumnsAndLeaveTheFolderFree() throws IOException {
        final Path input = Files.writeString(temp.resolve("in.csv"), "source,arrival,key,time,price\ns,0,k,1,1.5\n");
        assertEquals(
                "weir: " + input + ": no columns 'event_ns', 'qty' in the header source,arrival,key,time,price",
                ohlc(input).failed(1));
        assertFalse(Files.exists(output));

        ohlc(write("s,0,0,k,1,1.5,2")).succeeded();

        assertEquals(2, Files.readAllLines(csv).size());
    }

    @Test
    void shouldNameLinksThatLeadNowhere() throws IOException {
        final Path loop = Files.createSymbolicLink(temp.resolve("loop.csv"), temp.resolve("loop.csv"));
        final Path gone = Files.createSymbolicLink(temp.resolve("gone.csv"), temp.resolve("none.csv"));

        assertTrue(
                ohlc(loop).failed(1).startsWith("weir: " + loop + " can't be read: Too many levels of symbolic links"));
        assertEquals(
                "weir: " + gone + " is a link to a file that does not exist",
                ohlc(gone).failed(1));
        assertEquals("weir: " + temp + " is no file", ohlc(temp).failed(1));
    }

    @Test
    void shouldNameAnInputThatIsNoCsv() throws IOException {
        final Path empty = Files.writeString(temp.resolve("empty.csv"), "");
        final Path noGzip = Files.writeString(temp.resolve("plain.csv.gz"), HEADER + "\n");

        assertTrue(ohlc(empty).failed(1).startsWith("weir: " + empty + " has no header line"));
        assertTrue(ohlc(noGzip).failed(1).startsWith("weir: " + noGzip), "names the file");
    }

    @Test
    void shouldNameAFolderThatCannotBeWritten() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        // Even root can't make a folder there.
        output = input.resolve("out");

        assertEquals(
                "weir: " + output + " can't be used: Not a directory",
                ohlc(input).failed(1));
    }

    @Test
    void shouldNameAnExportThatCannotBeWrittenBeforeTheJobBegins() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        csv = temp.resolve("none").resolve("out.csv");

        assertEquals(
                "weir: " + csv + " can't be written: there is no folder " + csv.getParent(),
                ohlc(input).failed(1));
        assertFalse(Files.exists(output));
    }

    @Test
    void shouldRefuseTheFolderOfAnotherJobAndLeaveItAsItIs() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        ohlc(input).succeeded();

        final String error =
                Cli.run("run", "stats", "--input", input, "--output", output).failed(1);

        assertTrue(
                error.startsWith(
                        "weir: " + output + " belongs to a job with other settings: job was ohlc and is now stats"),
                error);
        assertTrue(ohlc(input).succeeded().out().contains("finished before, nothing to do"));
    }

    @Test
    void shouldRefuseOtherSettings() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        ohlc(input).succeeded();

        final String error = ohlc(input, "--window", "1s").failed(1);

        assertTrue(error.contains("--window was 60s and is now 1s"), error);
    }

    @Test
    void shouldRefuseCheckpointsOfAnotherJob() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path checkpoints = output.resolve("checkpoints").resolve("ohlc");
        final Path other = temp.resolve("other");
        Cli.run("run", "stats", "--input", metrics(), "--output", other).succeeded();
        final Path job = checkpoints.resolve("job");
        final byte[] before = Files.readAllBytes(job);
        Files.copy(other.resolve("checkpoints/stats/job"), job, StandardCopyOption.REPLACE_EXISTING);

        final String error = ohlc(input).failed(1);
        assertTrue(error.contains(checkpoints.toString()) && error.contains("stats"), error);

        Files.write(job, before);
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldRefuseAnExportOverTheInputOrIntoItsOwnFolderOrOverADevice() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        final byte[] before = Files.readAllBytes(input);

        csv = input;
        assertTrue(ohlc(input).failed(1).contains(input + " would overwrite the input"));
        csv = output.resolve("job");
        assertTrue(ohlc(input).failed(1).contains("would lie in the job's own folder " + output));
        final Path link = Files.createSymbolicLink(temp.resolve("link"), input.getParent());
        csv = link.resolve(input.getFileName());
        assertTrue(ohlc(input).failed(1).contains(csv + " would overwrite the input"));
        Files.createDirectories(output);
        csv = Files.createSymbolicLink(temp.resolve("to output"), output).resolve("job");
        assertTrue(ohlc(input).failed(1).contains("would lie in the job's own folder " + output));
        Files.delete(output);
        csv = Path.of("/dev/null");
        assertEquals(
                "weir: /dev/null is no regular file, and would be replaced by one",
                ohlc(input).failed(1));

        assertArrayEquals(before, Files.readAllBytes(input));
        assertFalse(Files.exists(output));
    }

    @Test
    void shouldFindResultsAndCheckpointsBehindLinks() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        for (final String folder : List.of("windows", "late", "checkpoints")) {
            Files.move(output.resolve(folder), elsewhere.resolve(folder));
            Files.createSymbolicLink(output.resolve(folder), elsewhere.resolve(folder));
        }
        final String bad = ohlc(input).failed(1);
        assertFalse(bad.contains("has no checkpoint any more"), bad);
        Files.delete(output.resolve("checkpoints"));

        final String error = ohlc(input).failed(1);

        assertTrue(error.contains(output.resolve("checkpoints") + " has no checkpoint any more"), error);
    }

    @Test
    void shouldRefuseToRepeatResultsWhenTheCheckpointsAreGone() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path checkpoints = output.resolve("checkpoints");
        final Path aside = temp.resolve("aside");
        Files.move(checkpoints, aside);

        final String error = ohlc(input, "--on-bad-record", "skip").failed(1);
        assertTrue(error.contains(checkpoints + " has no checkpoint any more"), error);

        Files.move(aside, checkpoints);
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldNameResultsThatWereDeletedAndGoOnOnceTheyAreBack() throws IOException {
        final Path input = failedBehindItsFirstWindows();

        for (int i = 0; i < 2; i++) {
            for (final String lost : List.of("windows", "windows/weir/commits", "late/weir")) {
                final Path aside = temp.resolve("aside");
                Files.move(output.resolve(lost), aside);
                final String error = ohlc(input, "--on-bad-record", "skip").failed(1);
                assertTrue(error.contains("commits is missing"), error);
                Files.move(aside, output.resolve(lost));
            }
            final Path queue = output.resolve("windows");
            for (final Path file : files(queue, ".cq4")) {
                Files.move(file, temp.resolve(file.getFileName()));
            }
            final String error = ohlc(input, "--on-bad-record", "skip").failed(1);
            assertTrue(error.startsWith("weir: " + queue + " has lost records: "), error);
            for (final Path file : files(temp, ".cq4")) {
                Files.move(file, queue.resolve(file.getFileName()));
            }
            if (i == 0) {
                shouldGoOnToTheEnd(input);
            }
        }
    }

    @Test
    void shouldRefuseAnotherInputOfTheSameLength() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        ohlc(input).succeeded();
        write("s,0,0,k,1,1.6,2");

        final String error = ohlc(input).failed(1);

        assertTrue(
                error.startsWith("weir: " + output + " belongs to a job with other input: checksum of the input was"));
    }

    @Test
    void shouldTakeALatenessOfZeroWithoutAUnit() throws IOException {
        ohlc(write("s,0,0,k,1,1.5,2"), "--lateness", "0").succeeded();

        assertEquals(2, Files.readAllLines(csv).size());
    }

    @Test
    void shouldTakeTimesAndTextOutOfRangeForBadRecords() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2", "s,1,0,k,9223372036854775807,1,1");
        Files.write(input, "s,2,0,k\u00ffx,3,1,1\n".getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.APPEND);

        assertEquals(
                "weir: " + input + " line 3: column 'event_ns': 9223372036854775807 must be in"
                        + " [-4611686018427387903, 4611686018427387903]",
                ohlc(input).failed(1));
        final Cli.Result result = ohlc(input, "--on-bad-record", "skip").succeeded();

        assertTrue(result.out().contains("skipped 2 bad records"), result.out());
    }

    @Test
    void shouldNameACorruptedManifestAndGoOnOnceItIsMended() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path manifest = newestCheckpoint().resolve("manifest");
        flipByte(manifest, Files.size(manifest) / 2);

        final String error = ohlc(input).failed(1);
        assertTrue(error.contains(manifest.toString()), error);

        flipByte(manifest, Files.size(manifest) / 2);
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldNameATruncatedSegmentAndGoOnOnceItIsMended() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path segment;
        try (Stream<Path> files = Files.list(newestCheckpoint())) {
            segment = files.filter(file -> file.toString().endsWith(".segment"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        final byte[] whole = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(whole, whole.length - 7));

        final String error = ohlc(input).failed(1);
        assertTrue(error.contains(segment.toString()), error);

        Files.write(segment, whole);
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldNameAFullDiskAndGoOnOnceThereIsRoom() throws Exception {
        final Path mount = Files.createDirectory(temp.resolve("small"));
        mountOrSkip(mount);
        try {
            output = mount.resolve("out");
            final Path input = DataSets.file("bitstamp-trades/ticks.csv");

            final String error = ohlc(input).failed(1);
            assertTrue(error.contains(output + "/") && error.contains("bytes free"), error);

            assertTrue(isDone("mount", "-o", "remount,size=400m", mount.toString()));
            ohlc(input).succeeded();
            assertEquals(DataSets.lines(EXPECTED), Files.readAllLines(csv));
        } finally {
            // Lazily: the files of a closed queue stay mapped until they are collected.
            assertTrue(isDone("umount", "-l", mount.toString()), "umount " + mount);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 8})
    void shouldLoseNothingWhenOnlyTheCheckpointsHaveNoRoom(final int freePages) throws Exception {
        final Path input = failedBehindItsFirstWindows();
        final Path checkpoints = output.resolve("checkpoints");
        final Path aside = Files.move(checkpoints, temp.resolve("aside"));
        Files.createDirectory(checkpoints);
        mountOrSkip(checkpoints);
        try {
            assertTrue(isDone("cp", "-a", aside + "/.", checkpoints.toString()));
            final long free = Files.getFileStore(checkpoints).getUsableSpace() - freePages * 4096L;
            Files.write(checkpoints.resolve("filler"), new byte[Math.toIntExact(free)]);

            final Cli.Result result = ohlc(input, "--on-bad-record", "skip");
            // With a little room the checkpoints that are still needed may fit.
            if (freePages == 0 || result.status() != 0) {
                final String error = result.failed(1);
                assertTrue(error.contains(checkpoints + "/") && error.contains("No space left"), error);
                Files.delete(checkpoints.resolve("filler"));
                shouldGoOnToTheEnd(input);
            }
            assertEquals(DataSets.lines(EXPECTED), Files.readAllLines(csv));
        } finally {
            assertTrue(isDone("umount", "-l", checkpoints.toString()), "umount " + checkpoints);
        }
    }

    @Test
    void shouldExportNothingOfResultsWithAFlippedByteAndAllOnceItIsMended() throws IOException {
        final Path input = DataSets.file("bitstamp-trades/ticks_disordered.csv");
        ohlc(input, "--dedup", "id", "--checkpoint-interval", "5ms").succeeded();
        final byte[] before = Files.readAllBytes(csv);
        final byte[] lateBefore = Files.readAllBytes(CsvExport.lateFile(csv));
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            Files.write(csv, new byte[0]);
            Files.write(CsvExport.lateFile(csv), new byte[0]);
            final Path file = files(output.resolve(i % 2 == 0 ? "windows" : "late"), ".cq4")
                    .get(0);
            final int at = indexOf(Files.readAllBytes(file), "BITSTAMP", random.nextInt(500));
            flipByte(file, at);

            final String error = ohlc(input, "--dedup", "id").failed(1);

            assertTrue(error.startsWith("weir: " + file + " is damaged: index 0x"), "seed " + seed + ": " + error);
            assertEquals(0, Files.size(csv));
            assertEquals(0, Files.size(CsvExport.lateFile(csv)));
            flipByte(file, at);
            ohlc(input, "--dedup", "id").succeeded();
            assertArrayEquals(before, Files.readAllBytes(csv));
            assertArrayEquals(lateBefore, Files.readAllBytes(CsvExport.lateFile(csv)));
        }
    }

    @Test
    void shouldNotGoOnBehindDamagedResults() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        final Path file = files(output.resolve("windows"), ".cq4").get(0);
        final int at = indexOf(Files.readAllBytes(file), "BITSTAMP", 0);
        flipByte(file, at);

        assertTrue(ohlc(input, "--on-bad-record", "skip").failed(1).startsWith("weir: " + file + " is damaged: "));

        flipByte(file, at);
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldLeaveAFolderFreeWhoseJobWasRefusedBeforeItsFirstCheckpoint() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        final Cli.Result refused = ohlc(input, "--parallelism", "128");
        assertTrue(refused.failed(1).contains("so many channels"), refused.err());
        assertFalse(refused.out().contains("begins again"), refused.out());

        ohlc(input, "--parallelism", "1").succeeded();

        assertEquals(2, Files.readAllLines(csv).size());
        assertTrue(ohlc(input, "--lateness", "6s").failed(1).contains("--lateness was 5s and is now 6s"));
        assertTrue(ohlc(input, "--parallelism", "2").succeeded().out().contains("finished before, nothing to do"));
    }

    @Test
    void shouldTakeAMendedInputAfterAFailureBeforeTheFirstCheckpoint() throws IOException {
        ohlc(write("s,0,0,k,1,oops,2")).failed(1);

        ohlc(write("s,0,0,k,1,1.5,2")).succeeded();

        assertEquals(2, Files.readAllLines(csv).size());
    }

    @Test
    void shouldNamePlaceAndLengthOfARecordThatIsTooLongAndNotTryAgain() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2", "s,1,0," + "k".repeat(40 << 20) + ",2,1.5,2", "s,2,0,k,3,1.5,2");

        final Cli.Result result = ohlc(input);

        final String error = result.failed(1);
        assertTrue(error.startsWith("weir: " + input + " line 3: ") && error.contains("maxRecordLength"), error);
        assertEquals("", result.out());
    }

    @Test
    void shouldTellInputsOfTheSameNameApart() throws IOException {
        final Path other = Files.createDirectory(temp.resolve("other"));
        final Path first = write("s,0,0,k,1,oops,2");
        final Path second = Files.copy(first, other.resolve(first.getFileName()));

        assertTrue(ohlc(first).failed(1).startsWith("weir: " + first + " line 2: "));
        assertTrue(ohlc(second).failed(1).startsWith("weir: " + second + " line 2: "));
    }

    @Test
    void shouldNotBeginAgainOverADamagedPageOfACheckpoint() throws IOException {
        final Path input = failedBehindItsFirstWindows();
        // A page that a newer segment has too is never read, and a segment of an aborted checkpoint goes away. Timing
        // decides which ones those are, so that all are damaged.
        final Path shared = output.resolve("checkpoints/ohlc/shared");
        for (final int from : new int[] {1, 5}) {
            final List<Path> segments = files(shared, ".pages").stream()
                    .filter(file -> file.toString().contains("-windows-"))
                    .toList();
            flipTenths(segments, from, from + 4);

            final Cli.Result result = ohlc(input, "--on-bad-record", "skip");

            final String error = result.failed(1);
            assertTrue(segments.stream().anyMatch(file -> error.contains(file.toString())), error);
            assertFalse(result.out().contains("begins again"), result.out());
            flipTenths(segments.stream().filter(Files::exists).toList(), from, from + 4);
        }
        shouldGoOnToTheEnd(input);
    }

    @Test
    void shouldKeepStateInAScratchFileIfAskedTo() throws IOException {
        ohlc(DataSets.file("bitstamp-trades/ticks.csv"), "--scratch-file").succeeded();

        assertEquals(DataSets.lines(EXPECTED), Files.readAllLines(csv));
        assertFalse(Files.exists(output.resolve("scratch")));
    }

    @Test
    void shouldNameMetadataOfResultsThatWereOverwritten() throws IOException {
        final Path input = write("s,0,0,k,1,1.5,2");
        ohlc(input).succeeded();
        final Path metadata = output.resolve("windows/metadata.cq4t");
        Files.write(metadata, new byte[Math.toIntExact(Files.size(metadata))]);

        assertEquals(
                "weir: " + metadata + " is damaged: it does not begin with its header; put it back",
                ohlc(input).failed(1));
    }

    private void shouldGoOnToTheEnd(final Path input) throws IOException {
        final Cli.Result result = ohlc(input, "--on-bad-record", "skip").succeeded();

        assertTrue(result.out().contains("goes on from checkpoint "), result.out());
        assertEquals(DataSets.lines(EXPECTED), Files.readAllLines(csv));
    }

    private Cli.Result ohlc(final Path input, final String... more) {
        final List<Object> args =
                new ArrayList<>(List.of("run", "ohlc", "--input", input, "--output", output, "--csv", csv));
        args.addAll(List.of(more));
        return Cli.run(args.toArray());
    }

    private Path write(final String... lines) throws IOException {
        return Files.writeString(temp.resolve("in.csv"), HEADER + "\n" + String.join("\n", lines) + "\n");
    }

    private Path metrics() throws IOException {
        return Files.writeString(temp.resolve("metrics.csv"), "source,arrival,key,event_ns,value\ns,0,k,1,1.5\n");
    }

    /** A job on it fails at the very end, and leaves checkpoints from the middle. */
    /** The input of a job that has completed a checkpoint, committed windows and met its bad last line. */
    private Path failedBehindItsFirstWindows() throws IOException {
        final Path input = ticksWithABadLastLine();
        // On a slow machine it may fail before it has committed a window.
        do {
            ohlc(input, "--checkpoint-interval", "1ms").failed(1);
        } while (files(output.resolve("windows"), ".cq4").isEmpty());
        return input;
    }

    private Path ticksWithABadLastLine() throws IOException {
        final List<String> lines = new ArrayList<>(DataSets.lines("bitstamp-trades/ticks.csv"));
        lines.add("BITSTAMP,bad");
        return Files.write(temp.resolve("ticks.csv"), lines);
    }

    private static List<Path> files(final Path folder, final String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private Path newestCheckpoint() throws IOException {
        try (Stream<Path> folders = Files.list(output.resolve("checkpoints").resolve("ohlc"))) {
            return folders.filter(folder -> Files.exists(folder.resolve("manifest")))
                    .max(Comparator.comparingLong(folder ->
                            Long.parseLong(folder.getFileName().toString().substring("chk-".length()))))
                    .orElseThrow();
        }
    }

    /** Where a text stands for the time after a number of others, or for the last time. */
    private static int indexOf(final byte[] bytes, final String text, final int others) {
        final String all = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = all.indexOf(text);
        for (int i = 0; i < others && all.indexOf(text, at + 1) >= 0; i++) {
            at = all.indexOf(text, at + 1);
        }
        return at;
    }

    private static void flipByte(final Path file, final long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            final int before = bytes.read();
            bytes.seek(at);
            bytes.write(before ^ 0xFF);
        }
    }

    private static void flipTenths(final List<Path> files, final int from, final int to) throws IOException {
        for (final Path file : files) {
            for (int i = from; i <= to; i++) {
                flipByte(file, Files.size(file) * i / 10);
            }
        }
    }

    private static void mountOrSkip(final Path folder) throws InterruptedException {
        final boolean isMounted = isDone("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.toString());
        if (!isMounted) {
            System.out.println("SKIPPED: no small file system can be mounted here, so none can be filled");
        }
        Assumptions.assumeTrue(isMounted, "no small file system can be mounted here");
    }

    private static boolean isDone(final String... command) throws InterruptedException {
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (final IOException noSuchCommand) {
            return false;
        }
    }
}
