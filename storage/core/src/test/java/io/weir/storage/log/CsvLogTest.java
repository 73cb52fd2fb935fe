package io.weir.storage.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvLogTest {
    @TempDir
    private Path folder;

    @Nested
    final class Plain extends ReplayableLogContract {
        @TempDir
        private Path contractFolder;

        @Override
        protected ReplayableLog bounded(final List<byte[]> records) {
            return CsvLog.at(write(contractFolder.resolve("plain.csv"), bytesOf(records)));
        }
    }

    @Nested
    final class Packed extends ReplayableLogContract {
        @TempDir
        private Path contractFolder;

        @Override
        protected ReplayableLog bounded(final List<byte[]> records) {
            final Path file = write(contractFolder.resolve("packed.csv.gz"), packed(bytesOf(records)));
            return CsvLog.at(file).inflatedIn(contractFolder);
        }
    }

    @Test
    void shouldKeepLineEndsInQuotesAndTakeBothLineEndsAndNoFinalOne() {
        final CsvLog log = log("\uFEFFa,b\r\n1,\"x\ny\"\r\n\n\r\n2,\"\"\"q\"\",\"\n3,z");
        assertEquals(List.of("a", "b"), log.header());
        assertEquals(List.of("1,\"x\ny\"", "2,\"\"\"q\"\",\"", "3,z"), read(log, 0));
    }

    @Test
    void shouldGiveOnePartitionPerValueInOrderOfAppearance() {
        final CsvLog log =
                log("id,source\n1,b\n2,b\n3,a\n4,b\n5,\"a\"\n6,\n7,a\n").partitionedBy("source");
        assertEquals(List.of("b", "a", ""), log.partitions());
        assertEquals(List.of("1,b", "2,b", "4,b"), read(log, 0));
        assertEquals(List.of("3,a", "5,\"a\"", "7,a"), read(log, 1));
        assertEquals(List.of("6,"), read(log, 2));
    }

    @Test
    void shouldLeaveAMalformedRowToTheReaderOfTheRowBeforeIt() {
        final CsvLog log =
                log("id,source\nbad\n1,b\n2,b,more\n3,a\nworse\n4,b\n").partitionedBy("source");

        assertEquals(List.of("b", "a"), log.partitions());
        assertEquals(List.of("bad", "1,b", "2,b,more", "4,b"), read(log, 0));
        assertEquals(List.of("3,a", "worse"), read(log, 1));
        assertEquals(
                List.of("bad", "worse"), read(log("id,source\nbad\nworse\n").partitionedBy("source"), 0));
    }

    @Test
    void shouldResumeAtAnyPositionOfInterleavedPartitions() {
        final CsvLog log = log(interleaved(300, 5)).partitionedBy("source");
        for (int partition = 0; partition < log.partitions().size(); partition++) {
            final LogRecords all;
            try (LogReader reader = log.open(partition, ReplayableLog.START)) {
                all = LogRecords.readAll(reader);
            }
            for (int i = 0; i < all.records().size(); i++) {
                try (LogReader behind = log.open(partition, all.nextPositions().get(i));
                        LogReader at = log.open(partition, all.positions().get(i))) {
                    final int size = all.records().size();
                    LogRecords.assertSame(
                            all.records().subList(i + 1, size),
                            LogRecords.readAll(behind).records());
                    LogRecords.assertSame(
                            all.records().subList(i, size),
                            LogRecords.readAll(at).records());
                }
            }
        }
    }

    @Test
    void shouldReadRowsThatCrossTheMappedSegments() {
        final String text = interleaved(4_000, 3);
        final Path file = write(folder.resolve("long.csv"), text.getBytes(UTF_8));
        final CsvFile file1 = CsvFile.open(new DiskFileStore(), file, folder, 12, 4096);
        final CsvScanner scanner = new CsvScanner(file1);
        final List<String> rows = new ArrayList<>();
        for (long at = 0; scanner.next(at, file1.size()); at = scanner.nextPosition()) {
            final byte[] row = new byte[scanner.length()];
            scanner.buffer().getBytes(scanner.offset(), row);
            rows.add(new String(row, UTF_8));
        }
        assertEquals(Arrays.asList(text.split("\n")), rows);
        file1.close();
    }

    @Test
    void shouldRefuseRowsLongerThanASegmentHolds() {
        final Path file = write(folder.resolve("wide.csv"), ("a\n" + "x".repeat(20_000) + "\nb\n").getBytes(UTF_8));
        final CsvFile mapped = CsvFile.open(new DiskFileStore(), file, folder, 12, 4096);
        final LogException ex = assertThrows(LogException.class, () -> new CsvScanner(mapped).next(2, mapped.size()));
        assertMessage(ex, "wide.csv line 2", "longer than");
        mapped.close();
    }

    @Test
    void shouldSplitAsAModelDoesOverRandomRows() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final StringBuilder text = new StringBuilder("a,b,c\n");
        final List<List<String>> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            final List<String> fields = new ArrayList<>();
            for (int k = 0; k < 3; k++) {
                final StringBuilder field = new StringBuilder();
                final int length = random.nextInt(12);
                for (int c = 0; c < length; c++) {
                    field.append("ab,\"\n\r\u00e9 ".charAt(random.nextInt(8)));
                }
                fields.add(field.toString());
                final boolean isQuoted = field.toString().matches("(?s).*[,\"\n\r].*") || random.nextInt(4) == 0;
                text.append(k == 0 ? "" : ",")
                        .append(isQuoted ? '"' + field.toString().replace("\"", "\"\"") + '"' : field);
            }
            text.append(random.nextBoolean() ? "\n" : "\r\n");
            expected.add(fields);
        }
        final CsvLog log = log(text.toString());
        final CsvRow row = new CsvRow(log.header());
        final List<List<String>> actual = new ArrayList<>();
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            final LogHandler split = (position, next, buffer, offset, length) -> {
                row.wrap(buffer, offset, length);
                return actual.add(List.of(row.asString(0), row.asString(1), row.asString(2)));
            };
            assertEquals(2_000, reader.poll(split, 3_000), "seed " + seed);
        }
        assertEquals(expected, actual, "seed " + seed);
    }

    @Test
    void shouldSayWhichLineARecordIsOn() {
        final CsvLog log = log("a\nx\n\"y\ny\"\nz\n");
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            final List<Long> positions = LogRecords.readAll(reader).positions();
            assertEquals(log.name() + " line 2", reader.describe(positions.get(0)));
            assertEquals(log.name() + " line 3", reader.describe(positions.get(1)));
            assertEquals(log.name() + " line 5", reader.describe(positions.get(2)));
        }
    }

    @Test
    void shouldNameFileLineAndReasonOfWhatIsWrong() {
        assertFails(() -> CsvLog.at(folder.resolve("none.csv")).partitions(), "none.csv", "does not exist");
        assertFails(() -> CsvLog.at(folder).partitions(), folder.toString(), "folder");
        assertFails(() -> log("").header(), "log.csv", "no header");
        assertFails(() -> log("\n\r\n").header(), "log.csv", "no header");
        assertFails(() -> log("a,b,a\n").header(), "log.csv", "'a' twice");
        assertFails(() -> log("a,b\n1,2\n").partitionedBy("c").partitions(), "log.csv", "'c'", "[a, b]");
        assertFails(() -> log("a,b\n").partitionedBy("a").partitions(), "log.csv", "no row");
        assertFails(() -> log("a,\"b\n1,2\n").header(), "log.csv", "never closed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2,\"open",
                "2,op\"en",
                "2,\"o\"pen",
                "2,\"open\"\"",
                "\"2,open",
                "\"",
                "2\"",
                "\"x\ny\",\"open",
                "\"x\ny\",o\"pen"
            })
    void shouldEndARowWhoseQuotesAreWrongWithItsLine(final String broken) {
        final String rest = "3,\"z\nz\"\n4,z\n5,\"\"\"z\"";
        for (final String end : List.of("\n", "\r\n")) {
            final CsvLog log = log("a,b\n1,y\n" + broken + end + rest);

            assertEquals(List.of("1,y", broken, "3,\"z\nz\"", "4,z", "5,\"\"\"z\""), read(log, 0));
            final UnsafeBuffer row = new UnsafeBuffer(broken.getBytes(UTF_8));
            assertFails(() -> new CsvRow(log.header()).wrap(row, 0, row.capacity()), "column '", "quote");
        }
        assertEquals(List.of(broken), read(log("a,b\n" + broken), 0));
    }

    @Test
    void shouldKeepThePartitionsOfRowsBehindWrongQuotes() {
        final CsvLog log = log("id,source\n1,b\n2,\"b\n3,a\n4,b\n").partitionedBy("source");

        assertEquals(List.of("1,b", "2,\"b", "4,b"), read(log, 0));
        assertEquals(List.of("3,a"), read(log, 1));
    }

    @Test
    void shouldReadSeveralGzipMembersWhereverTheyEnd() {
        final Random random = new Random(7);
        final byte[] noise = new byte[(1 << 20) - 40];
        random.nextBytes(noise);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) ('a' + (noise[i] & 15));
        }
        final byte[] first = stored(noise);
        // The first member ends around the end of what is read at a time.
        for (int more = -12; more <= 40; more++) {
            final byte[] head = stored(Arrays.copyOf(noise, noise.length - (first.length - (1 << 20)) + more));
            final ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(head);
            both.writeBytes(packed("\nlast\n".getBytes(UTF_8)));

            assertEquals(List.of("last"), read(packedLog(both.toByteArray()), 0), "more " + more);
        }
    }

    @Test
    void shouldNameWhatFollowsAGzipFile() {
        final byte[] whole = packed("a\n1\n".getBytes(UTF_8));
        for (final byte[] rest : List.of(new byte[1], new byte[100], "a\n2\n".getBytes(UTF_8), new byte[2 << 20])) {
            final byte[] bytes = Arrays.copyOf(whole, whole.length + rest.length);
            System.arraycopy(rest, 0, bytes, whole.length, rest.length);
            assertFails(() -> packedLog(bytes).header(), "log.csv.gz", "gzip file");
        }
        final byte[] header = Arrays.copyOf(whole, whole.length + 5);
        System.arraycopy(whole, 0, header, whole.length, 5);
        assertFails(() -> packedLog(header).header(), "log.csv.gz", "truncated");
    }

    @Test
    void shouldReadAGzipFileWithEveryPartOfAHeader() {
        final byte[] plain = packed("a\n1\n".getBytes(UTF_8));
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 0});
        bytes.writeBytes(new byte[] {3, 0, 'x', 0, 'y', 'n', 0, 'c', 'c', 0, 1, 2});
        bytes.write(plain, 10, plain.length - 10);

        assertEquals(List.of("1"), read(packedLog(bytes.toByteArray()), 0));
    }

    @Test
    void shouldTellDamagedGzipApart() {
        final byte[] whole = packed(interleaved(1_000, 3).getBytes(UTF_8));
        assertFails(() -> packedLog(Arrays.copyOf(whole, whole.length / 2)).header(), "log.csv.gz", "truncated");
        assertFails(() -> packedLog(Arrays.copyOf(whole, whole.length - 4)).header(), "log.csv.gz", "truncated");
        assertFails(() -> packedLog(new byte[0]).header(), "log.csv.gz", "truncated");
        assertFails(() -> packedLog("a,b\n".getBytes(UTF_8)).header(), "log.csv.gz", "corrupt");
        final byte[] flipped = whole.clone();
        flipped[whole.length / 2] ^= 0x40;
        assertFails(() -> packedLog(flipped).header(), "log.csv.gz", "corrupt");
    }

    @Test
    void shouldLeaveNoInflatedFileBehind() throws IOException {
        final CsvLog log = packedLog(packed("a\n1\n2\n".getBytes(UTF_8)));
        try (LogReader reader = log.open(0, ReplayableLog.START);
                Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("log.csv.gz")), files.toList());
            assertEquals(2, LogRecords.readAll(reader).records().size());
        }
        log.close();
        log.close();
        assertFails(log::partitions, "log.csv.gz", "closed");
    }

    @Test
    void shouldRefusePositionsOfAnotherFile() {
        final long end;
        try (LogReader reader = log("a\n1\n22\n333\n").open(0, ReplayableLog.START)) {
            LogRecords.readAll(reader);
            end = reader.position();
        }
        final CsvLog shrunk = log("a\n1\n");
        assertFails(() -> shrunk.open(0, end), "log.csv", "shrunk");
        final CsvLog other = log("a\n1234567890\n");
        assertFails(() -> other.open(0, end - 4), "log.csv", "no row begins");
    }

    @Test
    void shouldGoOnWithRowsThatWereAppendedSince() {
        final long end;
        try (LogReader reader = log("a\n1\n22").open(0, ReplayableLog.START)) {
            LogRecords.readAll(reader);
            end = reader.position();
        }
        try (LogReader reader = log("a\n1\n22\n333\n").open(0, end)) {
            assertEquals(
                    List.of("333"), LogRecords.texts(LogRecords.readAll(reader).records()));
        }
    }

    private CsvLog log(final String text) {
        return CsvLog.at(write(folder.resolve("log.csv"), text.getBytes(UTF_8)));
    }

    private CsvLog packedLog(final byte[] bytes) {
        return CsvLog.at(write(folder.resolve("log.csv.gz"), bytes)).inflatedIn(folder);
    }

    private static List<String> read(final CsvLog log, final int partition) {
        try (LogReader reader = log.open(partition, ReplayableLog.START)) {
            return LogRecords.texts(LogRecords.readAll(reader).records());
        }
    }

    private static String interleaved(final int rows, final int sources) {
        final Random random = new Random(rows);
        final StringBuilder text = new StringBuilder("source,n,pad\n");
        for (int i = 0; i < rows; i++) {
            text.append("s")
                    .append(random.nextInt(sources))
                    .append(',')
                    .append(i)
                    .append(',');
            text.append("x".repeat(random.nextInt(30))).append('\n');
        }
        return text.toString();
    }

    private static byte[] bytesOf(final List<byte[]> records) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("word\n".getBytes(UTF_8));
        for (final byte[] record : records) {
            bytes.writeBytes(record);
            bytes.write('\n');
        }
        return bytes.toByteArray();
    }

    private static byte[] packed(final byte[] bytes) {
        final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return packed.toByteArray();
    }

    /** Packed without being deflated: its length follows that of the bytes. */
    private static byte[] stored(final byte[] bytes) {
        final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (StoringOutput out = new StoringOutput(packed)) {
            out.write(bytes);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return packed.toByteArray();
    }

    private static Path write(final Path file, final byte[] bytes) {
        try {
            return Files.write(file, bytes);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static void assertFails(final Executable action, final String... parts) {
        assertMessage(assertThrows(LogException.class, action), parts);
    }

    private static void assertMessage(final LogException ex, final String... parts) {
        for (final String part : parts) {
            assertTrue(ex.getMessage().contains(part), () -> "'" + ex.getMessage() + "' must name '" + part + "'");
        }
    }

    private static final class StoringOutput extends GZIPOutputStream {
        private StoringOutput(final ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.NO_COMPRESSION);
        }
    }
}
