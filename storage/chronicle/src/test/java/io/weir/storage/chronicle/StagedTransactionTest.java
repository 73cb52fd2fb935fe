package io.weir.storage.chronicle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.log.LogException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedTransactionTest {
    private static final Path FILE = Path.of("/queue/1.staged");

    private final StagingChunks memory = new StagingChunks(64, 4);
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[50]);

    @Test
    void shouldTouchNoFileBeforeItIsForced() {
        final SimulatedFileStore files = diskWithFolder(1);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
        final long before = files.operations();
        for (int i = 0; i < 4; i++) {
            staged.append(record, 0, 50);
        }
        staged.seal();
        assertEquals(before, files.operations());
        staged.force();
        assertTrue(files.usedBytes() > 200);
        staged.close();
    }

    @Test
    void shouldTakeOnceTheDiskHasRoomWhatItHadNoRoomFor() {
        final SimulatedFileStore files = diskWithFolder(1);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
        for (int i = 0; i < 4; i++) {
            staged.append(record, 0, 50);
        }
        staged.seal();
        files.capacity(files.usedBytes() + 100);
        for (int i = 0; i < 2; i++) {
            final LogException ex = assertThrows(LogException.class, staged::force);
            assertTrue(ex.getMessage().contains(FILE.toString()), ex.getMessage());
        }
        files.capacity(1 << 20);
        staged.force();
        files.crash();
        StagedRecords.open(files, FILE, handleOf(staged), StagedRecords.newMemory())
                .close();
    }

    @Test
    void shouldFailOnAFullDiskAndLoseTheWholeTransactionOnceItSpills() {
        final SimulatedFileStore files = diskWithFolder(1);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
        files.capacity(files.usedBytes() + 400);
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
    void shouldUseTheSameMemoryForOneTransactionAfterAnother() {
        final SimulatedFileStore files = diskWithFolder(7);
        for (int i = 0; i < 20; i++) {
            final StagedTransaction staged = new StagedTransaction(files, Path.of("/queue/" + i), "w", memory);
            for (int k = 0; k < i; k++) {
                staged.append(record, 0, 50);
            }
            staged.seal();
            staged.force();
            staged.close();
        }
        for (int i = 0; i < 4; i++) {
            assertNotNull(memory.tryTake());
        }
        assertNull(memory.tryTake());
    }

    @Test
    void shouldBeWholeAfterAPowerFailureOnceForced() {
        final SimulatedFileStore files = diskWithFolder(2);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
        for (int i = 0; i < 10; i++) {
            record.putInt(0, i);
            staged.append(record, 0, 5 * i);
        }
        staged.seal();
        staged.force();
        final TransactionHandle handle = handleOf(staged);
        files.crash();
        try (StagedRecords records = StagedRecords.open(files, FILE, handle, StagedRecords.newMemory())) {
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
    void shouldNeverForceAgainTheFileThatCouldNotBeForced() {
        for (int failing = 1; failing <= 4; failing++) {
            final SimulatedFileStore files = diskWithFolder(3);
            final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
            staged.append(record, 0, 50);
            staged.seal();
            files.failAt(failing);
            assertThrows(LogException.class, staged::force, "operation " + failing);
            files.calm();
            staged.force();
            files.crash();
            StagedRecords.open(files, FILE, handleOf(staged), StagedRecords.newMemory())
                    .close();
            staged.close();
        }
    }

    @Test
    void shouldBeLostWhenItSpilledAndCouldNotBeForced() {
        final SimulatedFileStore files = diskWithFolder(3);
        final StagedTransaction staged = new StagedTransaction(files, FILE, "w", memory);
        for (int i = 0; i < 10; i++) {
            staged.append(record, 0, 50);
        }
        staged.seal();
        files.failAt(1);
        assertThrows(LogException.class, staged::force);
        files.calm();
        assertThrows(LogException.class, staged::force);
        staged.close();
    }

    @Test
    void shouldAllocateNothingPerRecord(@TempDir final Path folder) {
        final StagedTransaction staged = new StagedTransaction(
                new DiskFileStore(), folder.resolve("1.staged"), "w", new StagingChunks(1 << 16, 4));
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

    private static TransactionHandle handleOf(final StagedTransaction staged) {
        return new TransactionHandle("w", 1, 2, 3, 4, staged.length(), staged.count(), staged.checksum(), 0);
    }

    private static SimulatedFileStore diskWithFolder(final long seed) {
        final SimulatedFileStore files = new SimulatedFileStore(seed);
        files.createDirectory(FILE.getParent());
        files.forceDirectory(FILE.getParent().getParent());
        return files;
    }
}
