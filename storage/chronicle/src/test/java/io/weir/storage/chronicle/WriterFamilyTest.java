package io.weir.storage.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogException;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the writers of one sink have in common, on the disk. */
final class WriterFamilyTest {
    @TempDir
    private Path folder;

    private QueueFolder queue;

    @BeforeEach
    void setUp() {
        queue = new QueueFolder(new DiskFileStore(), folder.resolve("queue"));
    }

    @Test
    void shouldNameAFamilyAsNoWriterIsNamed() {
        assertEquals("job/sink/", WriterFamily.of("job/sink/0-of-2"));
        assertNull(WriterFamily.of("w"));
        assertNull(WriterFamily.of("job/sink/"));
    }

    @Test
    void shouldSayHowFarTheFamilyHasCome() {
        final byte[] old = commit(log(), "0-of-1", 5);
        commit(log(), "0-of-1", 7);

        try (TransactionalWriter writer = log().open("job/sink/0-of-2", 9)) {
            final LogException refused = assertThrows(LogException.class, () -> writer.resumeFamily(old));

            assertTrue(
                    refused.getMessage()
                            .contains("has results of newer checkpoints than checkpoint 5, the one to go on from, which"
                                    + " would write them again: the writers job/sink/* have committed"),
                    refused::getMessage);
        }
    }

    @Test
    void shouldKnowTheFamilyAfterTheJournalWasCompacted() throws IOException {
        final byte[] mark = commit(log(), "0-of-1", 5);
        final byte[] next;
        try (TransactionalWriter writer = log().open("job/sink/0-of-1", 6)) {
            writer.resumeFamily(mark);
            append(writer, "6");
            final byte[] handle = writer.prepare(6);
            next = writer.familyMark(6);
            writer.commit(handle);
        }
        try (CommitJournal journal = CommitJournal.open(new DiskFileStore(), queue.journal())) {
            journal.compact();
        }
        final long length = Files.size(queue.journal());
        for (int attempt = 7; attempt < 9; attempt++) {
            try (TransactionalWriter writer = log().open("job/sink/0-of-3", attempt)) {
                assertThrows(LogException.class, () -> writer.resumeFamily(mark));
                writer.resumeFamily(next);
            }
            assertTrue(Files.size(queue.journal()) <= length, "one entry stands for all commits of a lineage");
        }
    }

    @Test
    void shouldBeginAnotherLineageWhereIdsBeginAnew() {
        final byte[] mark = commit(log(), "0-of-1", 9);
        final byte[] anew;
        try (TransactionalWriter writer = log().open("job/sink/0-of-1", 1)) {
            writer.resumeFamily(mark);
            append(writer, "1");
            final byte[] handle = writer.prepare(1);
            anew = writer.familyMark(1);
            writer.commit(handle);
        }
        try (TransactionalWriter writer = log().open("job/sink/0-of-2", 2)) {
            assertThrows(LogException.class, () -> writer.resumeFamily(mark));
            writer.resumeFamily(anew);
        }
    }

    @Test
    void shouldDropAStagingFileWithoutItsHead() throws IOException {
        final ChronicleQueueLog log = log();
        final Path staged;
        try (TransactionalWriter gone = log.open("job/sink/0-of-1", 1)) {
            append(gone, "torn");
            gone.force(gone.prepare(1));
            staged = queue.allStaged().get(0);
            Files.write(staged, new byte[5]);
        }
        try (TransactionalWriter writer = log.open("job/sink/0-of-2", 2);
                TransactionalWriter other = log.open("job/other/0-of-1", 2)) {
            append(other, "of another family");
            other.force(other.prepare(2));

            writer.dropAbandoned();

            assertEquals(1, queue.allStaged().size());
            assertTrue(!Files.exists(staged), "torn and of no use");
        }
    }

    /** Of version 1, which had no lineage: nothing is said of its family. */
    @Test
    void shouldReadHandlesOfTheFirstVersion() {
        final TransactionHandle handle = TransactionHandle.decode(HexFormat.of()
                .parseHex("576558540100000003000000000000000400000000000000050000000000000006000000000000000700000000"
                        + "0000000800000000000000090000000f0000006a6f622f73696e6b2f302d6f662d312df1a124"));

        assertEquals(
                new TransactionHandle("job/sink/0-of-1", 3, 4, 5, 6, 7, 8, 9, TransactionHandle.NO_LINEAGE), handle);
        assertNull(handle.family());
    }

    @Test
    void shouldReadBackWhatItWrites() {
        final TransactionHandle handle = new TransactionHandle("job/sink/0-of-1", 3, 4, 5, 6, 7, 8, 9, 10);

        assertEquals(handle, TransactionHandle.decode(handle.encode()));
        assertEquals("job/sink/", handle.family());
    }

    /** Commits a transaction of a run of its own; gives the mark of its checkpoint. */
    private byte[] commit(final ChronicleQueueLog log, final String subtask, final long checkpointId) {
        try (TransactionalWriter writer = log.open("job/sink/" + subtask, checkpointId)) {
            writer.recover(List.of());
            append(writer, Long.toString(checkpointId));
            final byte[] handle = writer.prepare(checkpointId);
            final byte[] mark = writer.familyMark(checkpointId);
            writer.commit(handle);
            return mark;
        }
    }

    private static void append(final TransactionalWriter writer, final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private ChronicleQueueLog log() {
        return ChronicleQueueLog.at(queue.path()).blockLength(1 << 20).minFreeLength(0);
    }
}
