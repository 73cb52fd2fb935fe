package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronicleAppenderTest {
    @TempDir
    private Path folder;

    @Test
    void shouldShowEachRecordToAnOpenReaderAtOnce() {
        final List<String> seen = new ArrayList<>();
        try (ChronicleAppender appender = ChronicleAppender.open(folder)) {
            append(appender, "first");
            try (LogReader reader = ChronicleQueueLog.at(folder).open(0, ReplayableLog.START)) {
                poll(reader, seen);
                assertEquals(List.of("first"), seen);

                append(appender, "second");
                poll(reader, seen);
                assertEquals(List.of("first", "second"), seen);
            }
        }
    }

    @Test
    void shouldGoOnBehindWhatIsThere() {
        try (ChronicleAppender appender = ChronicleAppender.open(folder)) {
            append(appender, "first");
        }
        try (ChronicleAppender appender = ChronicleAppender.open(folder)) {
            append(appender, "second");
        }

        final List<String> seen = new ArrayList<>();
        try (LogReader reader = ChronicleQueueLog.at(folder).open(0, ReplayableLog.START)) {
            poll(reader, seen);
        }
        assertEquals(List.of("first", "second"), seen);
    }

    @Test
    void shouldRefuseAnEmptyRecord() {
        try (ChronicleAppender appender = ChronicleAppender.open(folder)) {
            assertThrows(LogException.class, () -> appender.append(new UnsafeBuffer(new byte[1]), 0, 0));
        }
    }

    private static void append(final ChronicleAppender appender, final String text) {
        final byte[] bytes = ("<" + text + ">").getBytes(UTF_8);
        appender.append(new UnsafeBuffer(bytes), 1, bytes.length - 2);
    }

    private static void poll(final LogReader reader, final List<String> seen) {
        reader.poll(
                (position, next, buffer, offset, length) -> {
                    final byte[] bytes = new byte[length];
                    buffer.getBytes(offset, bytes);
                    return seen.add(new String(bytes, UTF_8));
                },
                10);
    }
}
