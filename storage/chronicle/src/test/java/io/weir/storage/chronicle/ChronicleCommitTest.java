package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.chronicle.CommitProbe.Step;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogException;
import io.weir.storage.log.LogRecords;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Damage, loss and foreign hands around a commit. */
class ChronicleCommitTest {
    private static final int HEADER_LENGTH = 16;
    private static final int COMMITTED_ENTRY_LENGTH = 56;
    private static final int SPAN_LENGTH = 20;
    private static final int SPANS_ENTRY_LENGTH = 16 + SPAN_LENGTH;

    @TempDir
    private Path folder;

    private Path path;
    private ChronicleQueueLog log;
    private Step failingStep;
    private int stepsUntilFailure;

    @BeforeEach
    void setUp() {
        path = folder.resolve("queue");
        log = ChronicleQueueLog.at(path)
                .blockLength(1 << 20)
                .minFreeLength(0)
                .observedBy(System::currentTimeMillis, this::onStep);
    }

    @Test
    void shouldNameAStagingFileThatWasCut() throws IOException {
        final byte[] handle = prepareAndClose("a", "b");
        final Path staged = onlyStaged();
        final byte[] bytes = Files.readAllBytes(staged);
        for (final int length : new int[] {0, 5, bytes.length - 1}) {
            Files.write(staged, Arrays.copyOf(bytes, length));
            assertRecoveryFails(handle, staged.toString(), "damaged");
        }
        Files.write(staged, bytes);
        recover(handle);
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldNameAStagingFileWithAFlippedBit() throws IOException {
        final byte[] handle = prepareAndClose("some", "records");
        final Path staged = onlyStaged();
        final byte[] bytes = Files.readAllBytes(staged);
        for (int i = 0; i < bytes.length; i++) {
            final byte[] flipped = bytes.clone();
            flipped[i] ^= (byte) (1 << (i % 8));
            Files.write(staged, flipped);
            assertRecoveryFails(handle, staged.toString(), "damaged");
        }
        assertEquals(List.of(), visible());
    }

    @Test
    void shouldRefuseAHandleThatIsDamaged() {
        final byte[] handle = prepareAndClose("a");
        for (int i = 0; i < handle.length; i++) {
            final byte[] flipped = handle.clone();
            flipped[i] ^= 0x10;
            assertRecoveryFails(flipped, "handle");
        }
        assertRecoveryFails(new byte[7], "handle");
    }

    @Test
    void shouldRecogniseACommitWhoseLastNoteWasLost() throws IOException {
        final byte[] handle = prepareAndClose("a", "bb", "ccc");
        recover(handle);
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        Files.write(journal, journalWithIntentOf(handle));
        recover(handle);
        assertEquals(List.of("a", "bb", "ccc"), visible());
    }

    @Test
    void shouldRefuseToOpenWhenAHalfDoneCommitLostItsStagingFile() throws IOException {
        failAt(Step.RECORD_WRITTEN, 2);
        try (TransactionalWriter writer = log.open("w", 1)) {
            writer.recover(List.of());
            append(writer, "a", "b", "c");
            final byte[] handle = writer.prepare(1);
            assertThrows(LogException.class, () -> writer.commit(handle));
        }
        assertEquals(List.of("a", "b"), visible());
        Files.delete(onlyStaged());
        assertFails(() -> log.open("w", 2), path.toString(), "2 of 3 records", "staging file is gone");
    }

    @Test
    void shouldEndAHalfDoneCommitBeforeAnyOther() {
        failAt(Step.RECORD_WRITTEN, 2);
        try (TransactionalWriter first = log.open("w", 1);
                TransactionalWriter second = log.open("v", 1)) {
            append(first, "a", "b", "c");
            append(second, "d");
            final byte[] half = first.prepare(1);
            final byte[] other = second.prepare(1);
            assertThrows(LogException.class, () -> first.commit(half));
            second.commit(other);
            assertThrows(LogException.class, () -> first.abort(half));
            first.commit(half);
        }
        assertEquals(List.of("a", "b", "c", "d"), visible());
    }

    @Test
    void shouldCommitOnceWhicheverStepFailedFirst() {
        final List<String> expected = new ArrayList<>();
        for (final Step step : Step.values()) {
            for (int count = 1; count <= (step == Step.RECORD_OPEN || step == Step.RECORD_WRITTEN ? 3 : 1); count++) {
                failAt(step, count);
                try (TransactionalWriter writer = log.open("w", 1)) {
                    append(writer, step + " a", step + " b", step + " c");
                    expected.addAll(List.of(step + " a", step + " b", step + " c"));
                    final byte[] handle = writer.prepare(1);
                    assertThrows(RuntimeException.class, () -> writer.commit(handle));
                    writer.commit(handle);
                    writer.commit(handle);
                }
                assertEquals(expected, visible());
            }
        }
    }

    @Test
    void shouldLeaveNoTraceOfACommitThatTheJournalNeverSawWhole() throws IOException {
        final byte[] handle = prepareAndClose("a");
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        final byte[] before = Files.readAllBytes(journal);
        recover(handle);
        final byte[] torn = Arrays.copyOf(before, before.length + 3);
        torn[before.length] = 40;
        Files.write(journal, torn);
        try (TransactionalWriter writer = log.open("v", 1)) {
            append(writer, "b");
            writer.commit(writer.prepare(1));
        }
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldNameAJournalThatIsDamaged() throws IOException {
        recover(prepareAndClose("a"));
        recover(prepareAndClose("b"));
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        final byte[] bytes = Files.readAllBytes(journal);
        for (int i = 0; i < bytes.length - COMMITTED_ENTRY_LENGTH - SPAN_LENGTH; i++) {
            final byte[] flipped = bytes.clone();
            flipped[i] ^= (byte) (1 << (i % 8));
            Files.write(journal, flipped);
            assertFails(() -> log.open("w", 9), journal.toString(), "damaged", "put a whole copy back");
        }
    }

    /** Whether the journal was written anew since the commit or not. */
    @Test
    void shouldBlameAJournalThatWasCutToItsHeaderAndNotTheQueue() throws IOException {
        final byte[] handle = prepareAndClose("a");
        recover(handle);
        for (int i = 0; i < 2; i++) {
            final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
            final byte[] whole = Files.readAllBytes(journal);
            Files.write(journal, Arrays.copyOf(whole, HEADER_LENGTH));
            assertFails(log::requireCommitted, journal + " is damaged", "put");
            assertFails(() -> requireNewest(handle), journal.toString(), "put");
            Files.write(journal, whole);
            requireNewest(handle);
            compact();
        }
        assertEquals(List.of("a"), visible());
    }

    @Test
    void shouldRefuseAQueueWhoseFilesWereDeletedUntilTheyAreBack() throws IOException {
        recover(prepareAndClose("a"));
        final List<Path> cycles = cycles();
        for (final List<Path> lost : List.of(cycles, List.of(path.resolve("metadata.cq4t")))) {
            final List<Path> aside = new ArrayList<>();
            for (final Path file : lost) {
                aside.add(Files.move(file, folder.resolve(file.getFileName())));
            }
            for (int i = 0; i < 2; i++) {
                assertFails(() -> log.open("w", 9), path.toString(), "has lost records", "commits");
                assertFails(log::requireCommitted, path.toString(), "has lost records", "commits");
            }
            assertEquals(lost.equals(cycles) ? List.of() : cycles, cycles());
            for (final Path file : aside) {
                Files.move(file, path.resolve(file.getFileName()));
            }
        }
        log.requireCommitted();
        recover(prepareAndClose("b"));
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldNoticeDeletedFilesAfterTheJournalWasCompacted() throws IOException {
        recover(prepareAndClose("a"));
        compact();
        for (final Path file : cycles()) {
            Files.delete(file);
        }

        assertFails(() -> log.open("w", 9), path.toString(), "has lost records");
    }

    @Test
    void shouldNameAJournalThatIsMissingAndNotMakeItAnew() throws IOException {
        final byte[] handle = prepareAndClose("a");
        recover(handle);
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        final Path aside = Files.move(journal, folder.resolve("aside"));

        for (int i = 0; i < 2; i++) {
            assertRecoveryFails(handle, journal.toString(), "missing");
            assertFails(log::requireCommitted, journal.toString(), "missing");
        }

        Files.move(aside, journal);
        recover(handle);
        assertEquals(List.of("a"), visible());
    }

    @Test
    void shouldNameStagingFilesByOneEnding() {
        prepareAndClose("a");

        final String name = onlyStaged().getFileName().toString();
        assertEquals(name.length() - ".staged".length(), name.indexOf(".staged"), name);
    }

    @Test
    void shouldTakeRecordsThatAnotherAppenderAddedBetweenCommits() {
        try (TransactionalWriter writer = log.open("w", 1)) {
            append(writer, "a");
            writer.commit(writer.prepare(1));
            appendByChronicle("foreign");
            append(writer, "b");
            writer.commit(writer.prepare(2));
        }
        assertEquals(List.of("a", "foreign", "b"), visible());
    }

    @Test
    void shouldRefuseASecondLogObjectAndKeepTheFirstOnesLock() {
        try (TransactionalWriter writer = log.open("w", 1)) {
            for (int i = 0; i < 2; i++) {
                assertFails(() -> ChronicleQueueLog.at(path).open("v", 1), path.toString(), "locked");
            }
            append(writer, "a");
            writer.commit(writer.prepare(1));
        }
        recover(prepareAndClose("b"));
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldTakeBackALockOfAKilledProcessWithTheSameId() {
        recover(prepareAndClose("a"));
        try (TableStore<Metadata.NoMeta> store = SingleTableBuilder.binary(
                                path.resolve("metadata.cq4t"), Metadata.NoMeta.INSTANCE)
                        .build();
                LongValue lock = store.acquireValueFor("chronicle.write.lock")) {
            lock.setVolatileValue(ProcessHandle.current().pid());
        }
        recover(prepareAndClose("b"));
        assertEquals(List.of("a", "b"), visible());
    }

    @Test
    void shouldRefuseACommitThatWouldFillTheDiskAndTakeItLater() {
        final ChronicleQueueLog full = log.minFreeLength(Long.MAX_VALUE / 2);
        final byte[] handle;
        try (TransactionalWriter writer = full.open("w", 1)) {
            append(writer, "a");
            handle = writer.prepare(1);
            assertFails(() -> writer.commit(handle), path.toString(), "bytes free");
        }
        recover(handle);
        assertEquals(List.of("a"), visible());
    }

    @Test
    void shouldRefuseMoreThanATransactionMayStageAndRecordsThatDoNotFit() {
        try (TransactionalWriter writer = log.maxTransactionLength(100).open("w", 1)) {
            append(writer, "x".repeat(60));
            assertFails(() -> append(writer, "x".repeat(60)), "writer w", "more than 100 bytes");
        }
        try (TransactionalWriter writer = log.open("w", 2)) {
            assertFails(() -> append(writer, ""), "0 bytes");
            assertFails(() -> append(writer, "x".repeat((1 << 18) + 1)), "1 to 262144 bytes");
            append(writer, "x".repeat(1 << 18));
            writer.commit(writer.prepare(1));
        }
        assertEquals(1 << 18, visible().get(0).length());
    }

    @Test
    void shouldListAndDropWhatWritersLeftThatAreNoMore() {
        try (TransactionalWriter gone = log.open("job/sink/3", 1)) {
            append(gone, "left");
            gone.force(gone.prepare(1));
        }
        try (TransactionalWriter writer = log.open("job/sink/0", 2)) {
            writer.recover(List.of());
            append(writer, "open");
            assertEquals(Set.of("job/sink/3"), log.abandoned());
            assertFails(() -> log.dropAbandoned("job/sink/0"), "job/sink/0");
            log.dropAbandoned("job/sink/3");
            assertEquals(Set.of(), log.abandoned());
            writer.commit(writer.prepare(1));
        }
        assertFails(() -> log.dropAbandoned("job/sink/3"), "no writer open");
        assertEquals(List.of("open"), visible());
    }

    @Test
    void shouldGoOnWithAJournalAsItIs() throws IOException {
        recover(prepareAndClose("a"));
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        final byte[] before = Files.readAllBytes(journal);
        recover();
        assertArrayEquals(before, Files.readAllBytes(journal), "a restart waits for no disk");
        // What a write left that the machine died in.
        Files.write(journal, Arrays.copyOf(before, before.length + 100));

        recover(prepareAndClose("b"));

        final byte[] after = Files.readAllBytes(journal);
        assertArrayEquals(before, Arrays.copyOf(after, before.length));
        assertEquals(List.of("a", "b"), visible());
    }

    /** What a collection gives back is more than a few megabytes a second otherwise. */
    @Test
    void shouldTakeNoMemoryOfTheSystemForEachCommit() {
        try (TransactionalWriter writer = log.open("w", 1)) {
            writer.recover(List.of());
            commitEach(writer, 1, 5);
            final long before = directBuffers();
            commitEach(writer, 6, 105);
            final long more = directBuffers() - before;
            assertTrue(more < 50, more + " more buffers after 100 commits");
        }
    }

    private static void commitEach(final TransactionalWriter writer, final int first, final int last) {
        for (int checkpoint = first; checkpoint <= last; checkpoint++) {
            append(writer, "x");
            final byte[] handle = writer.prepare(checkpoint);
            writer.force(handle);
            writer.commit(handle);
        }
    }

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    @Test
    void shouldKeepTheJournalSmall() throws IOException {
        final List<byte[]> handles = new ArrayList<>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            try (TransactionalWriter writer = log.open("w", attempt)) {
                writer.recover(handles);
                for (int i = 0; i < 20; i++) {
                    append(writer, "x");
                    handles.add(writer.prepare(i));
                    writer.commit(handles.get(handles.size() - 1));
                }
            }
        }
        recover(handles.toArray(byte[][]::new));
        assertEquals(60, visible().size());
        compact();
        recover(handles.toArray(byte[][]::new));
        assertEquals(60, visible().size());
        final long length = Files.size(new QueueFolder(new DiskFileStore(), path).journal());
        assertTrue(
                length <= HEADER_LENGTH + SPANS_ENTRY_LENGTH + 3 * COMMITTED_ENTRY_LENGTH,
                "journal of " + length + " bytes");
    }

    private void onStep(final Step step) {
        if (step == failingStep && --stepsUntilFailure == 0) {
            throw new IllegalStateException("asked to fail");
        }
    }

    private void failAt(final Step step, final int count) {
        failingStep = step;
        stepsUntilFailure = count;
    }

    /** The journal as it is after the intent of the first commit, before its end. */
    private byte[] journalWithIntentOf(final byte[] handle) {
        final Path copy = folder.resolve("journal copy");
        try (CommitJournal journal = CommitJournal.open(new DiskFileStore(), copy)) {
            journal.begin(new CommitJournal.Intent(-1, TransactionHandle.decode(handle)));
        }
        try {
            final byte[] bytes = Files.readAllBytes(copy);
            Files.delete(copy);
            return bytes;
        } catch (final IOException ex) {
            throw new LogException("copy", ex);
        }
    }

    /** As the journal does by itself once it is long. */
    private void compact() {
        try (CommitJournal journal =
                CommitJournal.open(new DiskFileStore(), new QueueFolder(new DiskFileStore(), path).journal())) {
            journal.compact();
        }
    }

    private byte[] prepareAndClose(final String... texts) {
        try (TransactionalWriter writer = log.open("w", 1)) {
            append(writer, texts);
            final byte[] handle = writer.prepare(1);
            writer.force(handle);
            return handle;
        }
    }

    private void recover(final byte[]... handles) {
        try (TransactionalWriter writer = log.open("w", 2)) {
            writer.recover(List.of(handles));
        }
    }

    private void requireNewest(final byte[] handle) {
        try (TransactionalWriter writer = log.open("w", 3)) {
            writer.requireNewest(handle);
        }
    }

    private void assertRecoveryFails(final byte[] handle, final String... parts) {
        assertFails(() -> recover(handle), parts);
    }

    private void appendByChronicle(final String text) {
        try (SingleChronicleQueue queue =
                        QueueOptions.build(path, QueueOptions.DEFAULTS, new CycleClock(System::currentTimeMillis));
                ExcerptAppender appender = queue.createAppender();
                DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().write(text.getBytes(UTF_8));
        }
    }

    private List<String> visible() {
        if (Files.exists(new QueueFolder(new DiskFileStore(), path).journal())) {
            log.requireCommitted();
        }
        return LogRecords.texts(ChronicleQueueLogTest.visible(path));
    }

    private List<Path> cycles() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.toString().endsWith(".cq4")).toList();
        }
    }

    private Path onlyStaged() {
        final List<Path> staged = new QueueFolder(new DiskFileStore(), path).allStaged();
        assertEquals(1, staged.size());
        return staged.get(0);
    }

    private static void append(final TransactionalWriter writer, final String... texts) {
        for (final String text : texts) {
            final byte[] bytes = text.getBytes(UTF_8);
            writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
        }
    }

    private static void assertFails(final Executable action, final String... parts) {
        final LogException ex = assertThrows(LogException.class, action);
        for (final String part : parts) {
            assertTrue(ex.getMessage().contains(part), () -> "'" + ex.getMessage() + "' must name '" + part + "'");
        }
    }
}
