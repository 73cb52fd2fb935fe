package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.wire.Wires;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void shouldLeaveAWholeQueueAsItIs() {
        write(1, "a");

        write(2, "b");

        assertEquals(List.of("a", "b"), visible());
    }

    private void write(final long attempt, final String text) {
        try (TransactionalWriter writer = ChronicleQueueLog.at(folder).open("w", attempt)) {
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
