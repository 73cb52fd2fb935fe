package io.weir.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.log.LogException;
import io.weir.storage.log.TransactionalWriter;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A transaction is on the disk from its force on, and seen from its commit on. */
final class SimulatedOutputTest {
    private static final Path FOLDER = Path.of("/output");
    private static final byte[] RECORD = {1, 2, 3};

    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    @Test
    void shouldLoseWhatWasNotForced() {
        final byte[] handle = prepared(open(1));
        disk.crash();

        assertThrows(LogException.class, () -> open(2).recover(List.of(handle)));
    }

    @Test
    void shouldCommitWhatWasForcedAfterACrashAndOnce() {
        final TransactionalWriter writer = open(1);
        final byte[] handle = prepared(writer);
        writer.force(handle);
        assertEquals(List.of(), SimulatedOutput.committed(disk, FOLDER));
        disk.crash();

        open(2).recover(List.of(handle));
        open(3).recover(List.of(handle));
        disk.crash();

        assertEquals(1, SimulatedOutput.committed(disk, FOLDER).size());
        assertArrayEquals(RECORD, SimulatedOutput.committed(disk, FOLDER).get(0));
        assertThrows(LogException.class, () -> open(4).requireNewest(null));
        assertArrayEquals(handle, open(4).newest());
    }

    @Test
    void shouldAbortWhatNoCheckpointHolds() {
        final TransactionalWriter writer = open(1);
        final byte[] handle = prepared(writer);
        writer.force(handle);

        open(2).recover(List.of());

        assertThrows(LogException.class, () -> open(3).recover(List.of(handle)));
        assertEquals(List.of(), SimulatedOutput.committed(disk, FOLDER));
    }

    /** By a process of its own. */
    private TransactionalWriter open(final long attempt) {
        return new SimulatedOutput("output", disk, FOLDER).open("job/out/0-of-1", attempt);
    }

    private static byte[] prepared(final TransactionalWriter writer) {
        writer.append(new UnsafeBuffer(RECORD), 0, RECORD.length);
        return writer.prepare(1);
    }
}
