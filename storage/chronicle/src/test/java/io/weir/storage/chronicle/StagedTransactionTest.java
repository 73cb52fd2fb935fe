package io.weir.storage.chronicle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.log.LogException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedTransactionTest {
    private static final Path FILE = Path.of("/queue/1.staged");

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[50]);

    @Test
    void shouldFailOnAFullDiskAndLoseTheWholeTransaction() {
        final SimulatedFileStore files = diskWithFolder(1);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", buffer);
        files.capacity(files.usedBytes() + 200);
        final LogException ex = assertThrows(LogException.class, () -> {
            for (int i = 0; i < 100; i++) {
                staged.append(record, 0, 50);
            }
        });
        assertTrue(ex.getMessage().contains(FILE.toString()), ex.getMessage());
        files.capacity(1 << 20);
        assertThrows(LogException.class, () -> staged.append(record, 0, 50));
        assertThrows(LogException.class, staged::seal);
        assertThrows(LogException.class, staged::force);
        staged.close();
    }

    @Test
    void shouldBeWholeAfterAPowerFailureOnceForced() {
        final SimulatedFileStore files = diskWithFolder(2);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", buffer);
        for (int i = 0; i < 10; i++) {
            record.putInt(0, i);
            staged.append(record, 0, 5 * i);
        }
        staged.seal();
        staged.force();
        final TransactionHandle handle =
                new TransactionHandle("w", 1, 2, 3, 4, staged.length(), staged.count(), staged.checksum());
        files.crash();
        try (StagedRecords records = StagedRecords.open(files, FILE, handle)) {
            for (int i = 0; i < 10; i++) {
                record.putInt(0, i);
                final byte[] expected = new byte[5 * i];
                record.getBytes(0, expected);
                final UnsafeBuffer actual = records.next();
                final byte[] bytes = new byte[actual.capacity()];
                actual.getBytes(0, bytes);
                assertArrayEquals(expected, bytes);
            }
            assertNull(records.next());
        }
        assertEquals(handle, TransactionHandle.decode(handle.encode()));
    }

    @Test
    void shouldNeverForceAgainWhatCouldNotBeForced() {
        final SimulatedFileStore files = diskWithFolder(3);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", buffer);
        staged.append(record, 0, 50);
        staged.seal();
        files.failAt(1);
        assertThrows(LogException.class, staged::force);
        files.calm();
        assertThrows(LogException.class, staged::force);
        staged.close();
    }

    @Test
    void shouldAllocateNothingPerRecord(@TempDir final Path folder) {
        final StagedTransaction staged =
                new StagedTransaction(new DiskFileStore(), folder.resolve("1.staged"), "w", buffer);
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        long before = 0;
        for (int i = 0; i < 150_000; i++) {
            if (i == 50_000) {
                before = threads.getThreadAllocatedBytes(threadId);
            }
            staged.append(record, 0, 20);
        }
        final long allocated = threads.getThreadAllocatedBytes(threadId) - before;
        staged.seal();
        staged.close();
        assertTrue(allocated < 10_000, allocated + " bytes allocated for 100000 records");
    }

    private static SimulatedFileStore diskWithFolder(final long seed) {
        final SimulatedFileStore files = new SimulatedFileStore(seed);
        files.createDirectory(FILE.getParent());
        files.forceDirectory(FILE.getParent().getParent());
        return files;
    }
}
