package io.weir.storage.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What every {@link TransactionalLog} must do. */
public abstract class TransactionalLogContract {
    /**
     * The log under test: the same object while a writer of it is open; a new one after that may stand for a new process.
     *
     * @return the log, with the contents of the former one.
     */
    protected abstract TransactionalLog log();

    /**
     * What readers can see.
     *
     * @return the records in order.
     */
    protected abstract List<byte[]> visible();

    /** Makes the next commit of {@link #log}'s writers fail once; called before the log's first writer is opened. */
    protected abstract void failNextCommitOnce();

    /**
     * Transactions, open or prepared, that are left behind.
     *
     * @return how many.
     */
    protected abstract int pending();

    /**
     * The shortest record the log can hold.
     *
     * @return a length in bytes.
     */
    protected int minRecordLength() {
        return 0;
    }

    /** FC-115. */
    @Test
    final void shouldCommitUpToCheckpointAndKeepTheRest() {
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "42");
            final byte[] first = prepared(writer, 0);
            append(writer, "43");
            final byte[] second = prepared(writer, 1);
            append(writer, "44");
            final byte[] third = prepared(writer, 2);

            writer.commit(first);
            writer.commit(second);

            assertVisible("42", "43");
            assertEquals(1, pending());
            assertNotNull(third);
        }
    }

    /** FC-116, FLINK-10377. */
    @Test
    final void shouldChangeNothingWhenAnOvertakenNoticeComesLate() {
        try (TransactionalWriter writer = opened("w", 1)) {
            final List<byte[]> handles = prepareEach(writer, "42", "43", "44");

            handles.forEach(writer::commit);
            writer.commit(handles.get(0));
            writer.commit(handles.get(1));

            assertVisible("42", "43", "44");
            assertEquals(0, pending());
        }
    }

    /** FC-117. */
    @Test
    final void shouldCommitRestoredAndAbortTheRestAfterFailure() {
        final byte[] first;
        final byte[] second;
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "42");
            first = prepared(writer, 0);
            append(writer, "43");
            second = prepared(writer, 1);
            append(writer, "44");
            assertNotNull(prepared(writer, 2));
            append(writer, "45");
        }
        try (TransactionalWriter writer = log().open("w", 2)) {
            writer.recover(List.of(first, second));
            assertVisible("42", "43");
            assertEquals(0, pending());

            append(writer, "46");
            writer.commit(prepared(writer, 2));
            assertVisible("42", "43", "46");
        }
    }

    @Test
    final void shouldTellThatLaterTransactionsWereCommitted() {
        final List<byte[]> handles;
        try (TransactionalWriter writer = opened("w", 1)) {
            handles = prepareEach(writer, "42", "43", "44");
            writer.commit(handles.get(0));
            writer.requireNewest(handles.get(0));
            writer.commit(handles.get(1));
        }
        try (TransactionalWriter writer = log().open("w", 2)) {
            assertThrows(LogException.class, () -> writer.requireNewest(handles.get(0)));
            assertEquals(1, pending(), "nothing is dropped by asking");
            writer.requireNewest(handles.get(1));
            writer.requireNewest(handles.get(2));
            writer.recover(handles.subList(1, 3));
            assertVisible("42", "43", "44");
        }
    }

    @Test
    final void shouldTellThatALaterRunOfTheWriterCommitted() {
        final byte[] first;
        final byte[] second;
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "42");
            first = prepared(writer, 1);
            writer.commit(first);
        }
        try (TransactionalWriter writer = log().open("w", 2);
                TransactionalWriter other = opened("v", 2)) {
            writer.requireNewest(first);
            writer.recover(List.of());
            append(other, "of another writer");
            other.commit(prepared(other, 2));
            append(writer, "43");
            second = prepared(writer, 2);
            writer.requireNewest(first);
            writer.commit(second);
        }
        for (int i = 3; i < 5; i++) {
            try (TransactionalWriter writer = log().open("w", i)) {
                assertThrows(LogException.class, () -> writer.requireNewest(first));
                writer.requireNewest(second);
                writer.recover(List.of());
            }
        }
    }

    @Test
    final void shouldTellWhatWasCommittedBeforeAJobThatBeginsAnew() {
        try (TransactionalWriter writer = opened("w", 1)) {
            assertNull(writer.newest());
            writer.requireNewest(null);
            append(writer, "42");
            writer.commit(prepared(writer, 1));
        }
        final byte[] newest;
        try (TransactionalWriter writer = opened("w", 1)) {
            assertThrows(LogException.class, () -> writer.requireNewest(null));
            newest = writer.newest();
            writer.requireNewest(newest);
            append(writer, "43");
            writer.commit(prepared(writer, 1));
        }
        try (TransactionalWriter writer = log().open("w", 2);
                TransactionalWriter other = log().open("v", 2)) {
            assertThrows(LogException.class, () -> writer.requireNewest(newest));
            other.requireNewest(null);
            assertNull(other.newest());
        }
    }

    @Test
    final void shouldTellThatWritersOfAnotherParallelismCommitted() {
        final byte[] first;
        final byte[] second;
        final byte[] handle;
        try (TransactionalWriter writer = opened("job/sink/0-of-1", 1)) {
            append(writer, "42");
            handle = prepared(writer, 5);
            first = writer.familyMark(5);
            writer.commit(handle);
            writer.resumeFamily(first);
        }
        try (TransactionalWriter zero = opened("job/sink/0-of-2", 2);
                TransactionalWriter one = opened("job/sink/1-of-2", 2);
                TransactionalWriter other = opened("job/other/0-of-1", 2)) {
            zero.resumeFamily(first);
            one.resumeFamily(first);
            append(one, "43");
            final byte[] later = prepared(one, 6);
            second = zero.familyMark(6);
            assertArrayEquals(second, one.familyMark(6), "the same from all");
            append(other, "of another family");
            other.commit(prepared(other, 9));
            one.commit(later);
        }
        try (TransactionalWriter writer = log().open("job/sink/0-of-1", 3)) {
            writer.requireNewest(handle);
            assertThrows(LogException.class, () -> writer.resumeFamily(first));
            writer.resumeFamily(second);
        }
        assertVisible("42", "of another family", "43");
    }

    /** FC-126, iceberg-18123. */
    @Test
    final void shouldNotCompareCheckpointsOfARunWithThoseOfAnEarlierOne() {
        final byte[] old;
        try (TransactionalWriter writer = opened("job/sink/0-of-1", 1)) {
            append(writer, "before");
            final byte[] handle = prepared(writer, 9);
            old = writer.familyMark(9);
            writer.commit(handle);
        }
        final byte[] begun;
        try (TransactionalWriter writer = opened("job/sink/0-of-1", 1)) {
            begun = writer.familyMark(1);
            writer.resumeFamily(old);
        }
        try (TransactionalWriter writer = opened("job/sink/0-of-1", 2)) {
            writer.resumeFamily(begun);
            append(writer, "after");
            writer.commit(prepared(writer, 2));
        }
        try (TransactionalWriter writer = opened("job/sink/0-of-3", 3)) {
            assertThrows(LogException.class, () -> writer.resumeFamily(old));
            assertThrows(LogException.class, () -> writer.resumeFamily(begun));
        }
        assertVisible("before", "after");
    }

    @Test
    final void shouldDropWhatWritersOfTheFamilyLeftThatAreNoMore() {
        try (TransactionalWriter other = opened("job/other/0-of-1", 1)) {
            leave("job/sink/1-of-2", 1);
            append(other, "of another family");
            final byte[] kept = prepared(other, 1);
            try (TransactionalWriter writer = opened("job/sink/0-of-3", 2)) {
                // Of this attempt: it may come back in the next.
                leave("job/sink/1-of-3", 2);
                append(writer, "x");
                final byte[] handle = prepared(writer, 2);

                writer.dropAbandoned();

                assertEquals(3, pending());
                writer.commit(handle);
                other.commit(kept);
            }
        }
        assertVisible("x", "of another family");
    }

    /** Prepares a transaction and closes its writer. */
    private void leave(final String writerId, final long attempt) {
        try (TransactionalWriter writer = opened(writerId, attempt)) {
            append(writer, "left by " + writerId);
            assertNotNull(prepared(writer, attempt));
        }
    }

    /** FC-118. */
    @Test
    final void shouldFailRecoveryWhenARestoredTransactionCantBeCommitted() {
        final byte[] handle;
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "42");
            handle = prepared(writer, 0);
            writer.abort(handle);
        }
        try (TransactionalWriter writer = log().open("w", 2)) {
            assertThrows(LogException.class, () -> writer.recover(List.of(handle)));
        }
        assertVisible();
    }

    /** FC-122. */
    @Test
    final void shouldCommitOnceWhenTheFirstTryFailed() {
        failNextCommitOnce();
        try (TransactionalWriter writer = opened("w", 1);
                TransactionalWriter other = opened("v", 1)) {
            append(writer, "1", "2", "3");
            final byte[] handle = prepared(writer, 1);
            append(other, "4");
            final byte[] otherHandle = prepared(other, 1);

            assertThrows(LogException.class, () -> writer.commit(handle));
            writer.commit(handle);
            other.commit(otherHandle);
            writer.commit(handle);

            assertVisible("1", "2", "3", "4");
        }
    }

    /** FC-123. */
    @Test
    final void shouldCommitSeveralStagesInOrder() {
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "1a", "1b");
            final byte[] first = prepared(writer, 1);
            append(writer, "2a", "2b");
            final byte[] second = prepared(writer, 2);
            append(writer, "3a", "3b");
            final byte[] third = prepared(writer, 3);

            writer.commit(first);
            writer.commit(second);
            writer.commit(third);

            assertVisible("1a", "1b", "2a", "2b", "3a", "3b");
        }
    }

    @Test
    final void shouldPrepareNothingWithoutRecords() {
        try (TransactionalWriter writer = opened("w", 1)) {
            assertNull(writer.prepare(1));
            append(writer, "x");
            assertNotNull(writer.prepare(2));
            assertNull(writer.prepare(3));
        }
    }

    @Test
    final void shouldShowNothingBeforeTheCommit() {
        try (TransactionalWriter writer = opened("w", 1)) {
            append(writer, "x");
            assertVisible();
            assertNotNull(prepared(writer, 1));
            assertVisible();
        }
        assertVisible();
    }

    /** FLINK-13535: what is settled costs nothing to settle again. */
    @Test
    final void shouldRecogniseACommitOfAnEarlierProcess() {
        final List<byte[]> handles;
        try (TransactionalWriter writer = opened("w", 1)) {
            handles = prepareEach(writer, "a", "b");
            handles.forEach(writer::commit);
        }
        for (int attempt = 2; attempt < 5; attempt++) {
            try (TransactionalWriter writer = log().open("w", attempt)) {
                writer.recover(handles);
                append(writer, "attempt " + attempt);
                writer.commit(prepared(writer, 1));
                writer.commit(handles.get(0));
            }
        }
        assertVisible("a", "b", "attempt 2", "attempt 3", "attempt 4");
    }

    /** FC-126. */
    @Test
    final void shouldNotTakeANewJobWithTheSameNamesForTheOldOne() {
        for (int run = 0; run < 3; run++) {
            try (TransactionalWriter writer = opened("w", 1)) {
                prepareEach(writer, "a" + run, "b" + run).forEach(writer::commit);
            }
        }
        assertVisible("a0", "b0", "a1", "b1", "a2", "b2");
    }

    @Test
    final void shouldAbortTwiceAndNeverCommitAfter() {
        try (TransactionalWriter writer = opened("w", 1)) {
            final List<byte[]> handles = prepareEach(writer, "a", "b");
            writer.abort(handles.get(0));
            writer.abort(handles.get(0));
            assertThrows(LogException.class, () -> writer.commit(handles.get(0)));
            writer.commit(handles.get(1));
            assertThrows(LogException.class, () -> writer.commit(handles.get(0)));
            assertVisible("b");
        }
    }

    @Test
    final void shouldRefuseToAbortWhatIsCommitted() {
        try (TransactionalWriter writer = opened("w", 1)) {
            final byte[] handle = prepareEach(writer, "a").get(0);
            writer.commit(handle);
            assertThrows(LogException.class, () -> writer.abort(handle));
            assertVisible("a");
        }
    }

    /** FLINK-7978, FLINK-9295. */
    @Test
    final void shouldLeaveOtherWritersAloneInRecovery() {
        try (TransactionalWriter one = opened("job/sink/1", 1);
                TransactionalWriter eleven = opened("job/sink/11", 1)) {
            final byte[] first = prepareEach(one, "1").get(0);
            final byte[] second = prepareEach(eleven, "11").get(0);
            try (TransactionalWriter again = log().open("job/sink/1", 2)) {
                again.recover(List.of());
                assertThrows(LogException.class, () -> again.commit(first));
                eleven.commit(second);
            }
        }
        assertVisible("11");
    }

    @Test
    final void shouldCommitTransactionsOfAWriterThatIsNoMore() {
        final byte[] handle;
        try (TransactionalWriter third = opened("w3", 1)) {
            handle = prepareEach(third, "of three").get(0);
        }
        try (TransactionalWriter first = log().open("w1", 2)) {
            first.recover(List.of(handle));
        }
        assertVisible("of three");
        assertEquals(0, pending());
    }

    /** KAFKA-12693: it may have slept meanwhile, and writes on. */
    @Test
    final void shouldFenceAnEarlierAttempt() {
        final TransactionalLog log = log();
        try (TransactionalWriter old = log.open("w", 1)) {
            old.recover(List.of());
            final byte[] handle = prepareEach(old, "old").get(0);
            assertThrows(LogException.class, () -> log.open("w", 1));
            try (TransactionalWriter fresh = log.open("w", 2)) {
                fresh.recover(List.of());
                assertThrows(LogException.class, () -> append(old, "late"));
                assertThrows(LogException.class, () -> old.commit(handle));
                fresh.commit(prepareEach(fresh, "new").get(0));
            }
        }
        assertVisible("new");
    }

    /** FLINK-13226: what is closed refuses at once. */
    @Test
    final void shouldRefuseToCommitOnceItIsClosed() {
        final TransactionalWriter writer = opened("w", 1);
        final byte[] handle = prepareEach(writer, "kept").get(0);
        writer.close();

        assertThrows(LogException.class, () -> writer.commit(handle));

        try (TransactionalWriter next = log().open("w", 2)) {
            next.recover(List.of(handle));
        }
        assertVisible("kept");
    }

    @Test
    final void shouldDropOpenTransactionAndKeepPreparedOnesOnClose() {
        final TransactionalWriter writer = opened("w", 1);
        assertNotNull(prepareEach(writer, "kept").get(0));
        append(writer, "dropped");
        writer.close();
        writer.close();
        assertEquals(1, pending());
        assertThrows(LogException.class, () -> append(writer, "x"));
    }

    @Test
    final void shouldTakeRecordsOfAllLengths() {
        final Random random = new Random(7);
        final List<byte[]> expected = new ArrayList<>();
        for (final int length : new int[] {0, 1, 2, 3, 4, 5, 4096, 1 << 18, (1 << 18) - 4, (1 << 18) + 1, 1 << 20, 7}) {
            final byte[] record = new byte[Math.max(length, minRecordLength())];
            random.nextBytes(record);
            expected.add(record);
        }
        try (TransactionalWriter writer = opened("w", 1)) {
            for (final byte[] record : expected) {
                writer.append(new UnsafeBuffer(record), 0, record.length);
            }
            writer.commit(prepared(writer, 1));
        }
        LogRecords.assertSame(expected, visible());
    }

    @Test
    final void shouldAgreeWithModelOverRandomInterleavings() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final List<String> expected = new ArrayList<>();
        final Map<String, List<byte[]>> handles = new HashMap<>();
        final Map<String, List<List<String>>> contents = new HashMap<>();
        int record = 0;
        for (int attempt = 1; attempt <= 4; attempt++) {
            final TransactionalLog log = log();
            final Map<String, TransactionalWriter> writers = new HashMap<>();
            final Map<String, List<String>> open = new HashMap<>();
            for (final String id : List.of("a", "b", "c")) {
                writers.put(id, log.open(id, attempt));
                open.put(id, new ArrayList<>());
                final List<byte[]> kept = handles.computeIfAbsent(id, ignored -> new ArrayList<>());
                writers.get(id).recover(kept);
                contents.computeIfAbsent(id, ignored -> new ArrayList<>()).forEach(expected::addAll);
                kept.clear();
                contents.get(id).clear();
            }
            for (int step = 0; step < 150; step++) {
                final String id = List.of("a", "b", "c").get(random.nextInt(3));
                final int choice = random.nextInt(10);
                if (choice < 6) {
                    final String text = id + record++;
                    append(writers.get(id), text);
                    open.get(id).add(text);
                } else if (choice < 8) {
                    final byte[] handle = writers.get(id).prepare(step);
                    assertEquals(open.get(id).isEmpty(), handle == null, "seed " + seed);
                    if (handle != null) {
                        writers.get(id).force(handle);
                        handles.get(id).add(handle);
                        contents.get(id).add(open.put(id, new ArrayList<>()));
                    }
                } else if (!handles.get(id).isEmpty()) {
                    writers.get(id).commit(handles.get(id).remove(0));
                    expected.addAll(contents.get(id).remove(0));
                }
            }
            writers.values().forEach(TransactionalWriter::close);
        }
        assertEquals(expected, LogRecords.texts(visible()), "seed " + seed);
    }

    @Test
    final void shouldCommitFromSeveralThreadsWithoutMixingTransactions() throws InterruptedException {
        final TransactionalLog log = log();
        final List<Thread> threads = new ArrayList<>();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final List<TransactionalWriter> writers = new ArrayList<>();
        for (int w = 0; w < 3; w++) {
            final String id = "w" + w;
            final TransactionalWriter writer = log.open(id, 1);
            writers.add(writer);
            threads.add(new Thread(() -> {
                try {
                    writer.recover(List.of());
                    for (int t = 0; t < 20; t++) {
                        for (int r = 0; r < 10; r++) {
                            append(writer, id + ' ' + t + ' ' + r);
                        }
                        final byte[] handle = prepared(writer, t);
                        writer.commit(handle);
                    }
                } catch (final Throwable failure) {
                    failures.add(failure);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        writers.forEach(TransactionalWriter::close);
        assertEquals(List.of(), failures);
        final List<String> texts = LogRecords.texts(visible());
        assertEquals(600, texts.size());
        for (int i = 0; i < 600; i += 10) {
            final String prefix = texts.get(i).substring(0, texts.get(i).length() - 1);
            for (int r = 0; r < 10; r++) {
                assertEquals(prefix + r, texts.get(i + r));
            }
        }
    }

    /**
     * Opens and recovers a writer without history.
     *
     * @param writerId of the writer.
     * @param attempt of the writer.
     * @return the writer.
     */
    protected final TransactionalWriter opened(final String writerId, final long attempt) {
        final TransactionalWriter writer = log().open(writerId, attempt);
        writer.recover(List.of());
        return writer;
    }

    /**
     * Appends texts.
     *
     * @param writer to append to.
     * @param texts of the records.
     */
    protected static void append(final TransactionalWriter writer, final String... texts) {
        for (final String text : texts) {
            final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
        }
    }

    private static byte[] prepared(final TransactionalWriter writer, final long checkpointId) {
        final byte[] handle = writer.prepare(checkpointId);
        assertNotNull(handle);
        writer.force(handle);
        return handle;
    }

    private static List<byte[]> prepareEach(final TransactionalWriter writer, final String... texts) {
        final List<byte[]> handles = new ArrayList<>();
        for (final String text : texts) {
            append(writer, text);
            handles.add(prepared(writer, handles.size() + 1));
        }
        return handles;
    }

    /**
     * Fails unless readers see just these.
     *
     * @param texts in order.
     */
    protected final void assertVisible(final String... texts) {
        assertEquals(List.of(texts), LogRecords.texts(visible()));
    }
}
