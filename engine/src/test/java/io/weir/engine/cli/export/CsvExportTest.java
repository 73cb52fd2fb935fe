package io.weir.engine.cli.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.job.JobFolderException;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.StatsWindow;
import io.weir.storage.log.MemoryLog;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvExportTest {
    @TempDir
    private Path temp;

    @Test
    void shouldSortWindowsBytewiseByTextAndNumericallyByStart() {
        final List<StatsWindow> windows = List.of(
                window("s", "é", 0),
                window("s", "z", 100),
                window("s", "z", 20),
                window("s", "\uD83D\uDE00", 0),
                window("s", "\uFF5E", 0),
                window("S", "z", 20));

        final List<String> lines = lines(CsvExport.windows(JobKind.STATS, temp), windows, StatsWindow.codec());

        assertEquals(
                List.of(
                        "source,key,window_start_ns,window_end_ns,count,min,max,sum,mean,first,last",
                        "S,z,20,30,1,1.5,1.5,1.5,1.5,1.5,1.5",
                        "s,z,20,30,1,1.5,1.5,1.5,1.5,1.5,1.5",
                        "s,z,100,110,1,1.5,1.5,1.5,1.5,1.5,1.5",
                        "s,é,0,10,1,1.5,1.5,1.5,1.5,1.5,1.5",
                        "s,\uFF5E,0,10,1,1.5,1.5,1.5,1.5,1.5,1.5",
                        "s,\uD83D\uDE00,0,10,1,1.5,1.5,1.5,1.5,1.5,1.5"),
                lines);
    }

    @Test
    void shouldQuoteFieldsThatNeedIt() {
        final List<String> lines = lines(
                CsvExport.windows(JobKind.STATS, temp), List.of(window("a,b", "say \"x\"", 0)), StatsWindow.codec());

        assertEquals("\"a,b\",\"say \"\"x\"\"\",0,10,1,1.5,1.5,1.5,1.5,1.5,1.5", lines.get(1));
    }

    @Test
    void shouldListLateRowsInOrderOfArrivalWithTheColumnsOfTheMode() {
        final List<LateRow> rows = List.of(
                new LateRow("s", 10, 0, "k", 7, "a", 0),
                new LateRow("s", 9, 1, "k", 8, "b", 0),
                new LateRow("s", 9, 0, "k", 9, "c", 0));

        assertEquals(
                List.of("trade,event_ns,window_start_ns", "c,9,0", "b,8,0", "a,7,0"),
                lines(CsvExport.lateRows("trade", temp), rows, LateRow.codec()));
        assertEquals(
                List.of(
                        "source,arrival,sub,key,event_ns,window_start_ns",
                        "s,9,0,k,9,0",
                        "s,9,1,k,8,0",
                        "s,10,0,k,7,0"),
                lines(CsvExport.lateRows(null, temp), rows, LateRow.codec()));
    }

    @Test
    void shouldNameTheLateFileBesideTheOther() {
        assertEquals(Path.of("x/out.late.csv"), CsvExport.lateFile(Path.of("x/out.csv")));
        assertEquals(Path.of("x/out.late.csv"), CsvExport.lateFile(Path.of("x/out")));
    }

    @Test
    void shouldReplaceAFileAsAWholeAndLeaveNothingBeside() throws IOException {
        final Path file = temp.resolve("out.csv");
        Files.writeString(file, "old");

        try (CsvExport<LateRow> export = CsvExport.lateRows("id", temp)) {
            export.write(file);
        }

        assertEquals("id,event_ns,window_start_ns\n", Files.readString(file));
        try (var entries = Files.list(temp)) {
            assertEquals(List.of(file), entries.toList());
        }
    }

    @Test
    void shouldNameTheFolderThatIsMissing() {
        final Path file = temp.resolve("none").resolve("out.csv");

        try (CsvExport<LateRow> export = CsvExport.lateRows("id", temp)) {
            final var early = assertThrows(JobFolderException.class, () -> CsvExport.checkWritable(file));
            final var late = assertThrows(JobFolderException.class, () -> export.write(file));

            assertEquals(file + " can't be written: there is no folder " + file.getParent(), early.getMessage());
            assertTrue(late.getMessage().startsWith(file + " can't be written: there is no "), late.getMessage());
        }
        assertFalse(Files.exists(file));
    }

    private static <T> List<String> lines(final CsvExport<T> export, final List<T> records, final Codec<T> codec) {
        final MemoryLog log = MemoryLog.unbounded(1);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        for (final T record : records) {
            final byte[] bytes = new byte[codec.encode(record, buffer, 0)];
            buffer.getBytes(0, bytes);
            log.add(0, bytes);
        }
        final List<String> lines = new ArrayList<>();
        try (export) {
            export.read(log).lines().forEachRemaining(lines::add);
            assertEquals(records.size(), export.count());
        }
        return lines;
    }

    private static StatsWindow window(final String source, final String key, final long startNs) {
        final BigDecimal value = new BigDecimal("1.50");
        return new StatsWindow(source, key, startNs, startNs + 10, 1, value, value, value, value, value);
    }
}
