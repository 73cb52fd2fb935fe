package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.wire.Wires;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HalfMadeQueueTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"0, 0", "3, 0", "4, 0", "131072, 0", "4, " + Wires.NOT_COMPLETE, "131072, " + Wires.NOT_COMPLETE})
    void shouldMakeTheQueueAnewWhenItsMetadataWasNeverFinished(final int length, final int header) throws IOException {
        final ByteBuffer metadata =
                ByteBuffer.allocate(Math.max(length, Integer.BYTES)).order(ByteOrder.nativeOrder());
        metadata.putInt(0, header);
        Files.write(folder.resolve("metadata.cq4t"), Arrays.copyOf(metadata.array(), length));

        write(1, "a");

        assertEquals(List.of("a"), visible());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Wires.NOT_COMPLETE, Wires.NOT_COMPLETE | 193})
    void shouldMakeTheFileOfACycleAnewWhenItsHeaderWasNeverFinished(final int header) throws IOException {
        // given: a process died between the intent of its first commit and the header of the file that it made for it
        final Path atIntent = Files.createDirectory(folder.resolve("at-intent"));
        write(
                ChronicleQueueLog.at(folder).observedBy(System::currentTimeMillis, step -> {
                    if (step == CommitProbe.Step.INTENT_FORCED) {
                        copyOwnFiles(folder, atIntent);
                    }
                }),
                1,
                "a");
        final Path cycle = cycleFile(folder);
        final long length = Files.size(cycle);
        try (FileChannel channel = FileChannel.open(cycle, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            channel.write(
                    ByteBuffer.allocate(Integer.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .putInt(0, header),
                    0);
            channel.write(ByteBuffer.allocate(1), length - 1);
        }
        copyOwnFiles(atIntent, folder);

        // when
        write(2, "b");

        // then
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldKeepTheFileOfACycleWhoseHeaderWasLost() throws IOException {
        write(1, "a");
        final Path cycle = cycleFile(folder);
        try (FileChannel channel = FileChannel.open(cycle, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Integer.BYTES), 0);
        }

        final LogException e = assertThrows(LogException.class, () -> write(2, "b"));

        assertTrue(e.getMessage().startsWith(cycle + " is damaged at offset 0: expected a header"), e.getMessage());
        assertTrue(Files.exists(cycle));
    }

    @Test
    void shouldLeaveAWholeQueueAsItIs() {
        write(1, "a");

        write(2, "b");

        assertEquals(List.of("a", "b"), visible());
    }

    /** The journal, and the transactions that are staged. */
    private static void copyOwnFiles(final Path from, final Path to) {
        try (Stream<Path> files = Files.walk(from.resolve("weir"))) {
            for (final Path file : files.filter(path -> !path.endsWith("lock")).toList()) {
                final Path copy = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cycleFile(final Path queue) throws IOException {
        try (Stream<Path> files = Files.list(queue)) {
            return files.filter(file -> file.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void write(final long attempt, final String text) {
        write(ChronicleQueueLog.at(folder), attempt, text);
    }

    private static void write(final ChronicleQueueLog log, final long attempt, final String text) {
        try (TransactionalWriter writer = log.open("w", attempt)) {
            writer.recover(List.of());
            final byte[] bytes = text.getBytes(UTF_8);
            writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
            final byte[] handle = writer.prepare(attempt);
            writer.force(handle);
            writer.commit(handle);
        }
    }

    private List<String> visible() {
        final List<String> seen = new ArrayList<>();
        try (LogReader reader = ChronicleQueueLog.at(folder).open(0, ReplayableLog.START)) {
            reader.poll(
                    (position, next, buffer, offset, length) -> {
                        final byte[] bytes = new byte[length];
                        buffer.getBytes(offset, bytes);
                        return seen.add(new String(bytes, UTF_8));
                    },
                    10);
        }
        return seen;
    }
}
