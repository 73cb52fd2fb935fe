package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.LogRecords;
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
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to the bytes of a queue after a commit is noticed before somebody trusts them. */
class DamagedQueueTest {
    private static final long CYCLE_MS = 300_000;
    private static final int RANDOM_FLIPS = 300;

    @TempDir
    private Path folder;

    private Path path;
    private ChronicleQueueLog log;
    private long nowMs = 1_700_000_100_000L;
    private long attempt;

    @BeforeEach
    void setUp() {
        path = folder.resolve("queue");
        log = CrashingJob.logIn(folder).minFreeLength(0).observedBy(() -> nowMs, CommitProbe.NONE);
    }

    @Test
    void shouldNameFileAndIndexOfEachFlippedByteOfARecord() throws IOException {
        final List<String> texts = List.of("first record", "second", "third one", "fourth");
        commit(texts.get(0));
        commit(texts.get(1), texts.get(2));
        nowMs += CYCLE_MS;
        commit(texts.get(3));
        log.requireCommitted();

        for (final Path file : cycles()) {
            final byte[] whole = Files.readAllBytes(file);
            for (final String text : texts) {
                final int at = indexOf(whole, text.getBytes(UTF_8));
                for (int i = 0; at >= 0 && i < text.length(); i++) {
                    flip(file, whole, at + i, 1 << i % 8);
                    final String message = assertThrows(LogException.class, log::requireCommitted)
                            .getMessage();
                    assertTrue(message.startsWith(file + " is damaged: index 0x"), message);
                }
            }
            Files.write(file, whole);
        }
        log.requireCommitted();
        assertEquals(texts, visible());
    }

    /** Headers and Chronicle's own tables too: an error, or the very records that were committed. */
    @Test
    void shouldGiveTheCommittedRecordsOrAnErrorWhicheverByteIsFlipped() throws IOException {
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            texts.add("record " + i);
            commit(texts.get(i));
        }
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        final int used = indexOf(whole, "record 19".getBytes(UTF_8)) + "record 19".length() + 16;
        final int begin = indexOf(whole, "record 0".getBytes(UTF_8)) - 4;
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < RANDOM_FLIPS; i++) {
            // Half of them among the records and their headers.
            final int at = i % 2 == 0 ? begin + random.nextInt(used - begin) : random.nextInt(used);
            final int bit = 1 << random.nextInt(8);
            flip(file, whole, at, bit);
            final String flipped = "seed " + seed + ", byte " + at + ", bit " + bit;
            try {
                log.requireCommitted();
                assertEquals(texts, visible(), flipped);
            } catch (final LogException expected) {
                assertTrue(expected.getMessage().contains(path.toString()), flipped + ": " + expected.getMessage());
            }
        }
    }

    /** Chronicle throws there what it does not declare, for most of them. */
    @Test
    void shouldReportAFlippedBitInTheFirstWordOfAFileAsItsOwnError() throws IOException {
        commit("a");
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int i = 0; i < Integer.SIZE; i++) {
            for (final Executable action : List.<Executable>of(log::requireCommitted, this::openToWrite)) {
                flip(file, whole, i / Byte.SIZE, 1 << i % Byte.SIZE);
                try {
                    action.execute();
                } catch (final LogException expected) {
                    refused++;
                } catch (final Throwable other) {
                    throw new AssertionError("bit " + i, other);
                }
            }
        }
        assertTrue(refused >= Integer.SIZE, refused + " refusals");
        Files.write(file, whole);
        log.requireCommitted();
        assertEquals(List.of("a"), visible());
    }

    /** The four bytes behind the last record are zero, and any other number is a record's length. */
    @Test
    void shouldRefuseARecordThatOnlyAFlippedBitMadeOne() throws IOException {
        for (final String text : List.of("first record", "the last")) {
            commit(text);
            final Path file = cycles().get(0);
            final byte[] whole = Files.readAllBytes(file);
            final int before = visible().size();
            flip(file, whole, indexOf(whole, text.getBytes(UTF_8)) + text.length(), 1);
            assertEquals(before + 1, visible().size());

            assertDamaged(file);

            Files.write(file, whole);
        }
    }

    @Test
    void shouldNotTakeTheRecordsOfACommitUnderWayForDamage() {
        commit("a");
        final boolean[] isChecked = new boolean[1];
        final ChronicleQueueLog observed = log.observedBy(() -> nowMs, step -> {
            log.requireCommitted();
            isChecked[0] |= step == CommitProbe.Step.RECORD_WRITTEN;
        });
        try (TransactionalWriter writer = observed.open("w", ++attempt)) {
            append(writer, attempt, "b", "c");
        }
        assertTrue(isChecked[0]);
    }

    @Test
    void shouldNameMetadataThatAreNoneAndNothingOfTheirInside() throws IOException {
        commit("a");
        final Path metadata = path.resolve("metadata.cq4t");
        final byte[] whole = Files.readAllBytes(metadata);
        final byte[] foreign = new byte[whole.length];
        Arrays.fill(foreign, (byte) 'x');
        for (final byte[] damaged : List.of(new byte[whole.length], new byte[0], foreign)) {
            Files.write(metadata, damaged);
            for (final Executable action :
                    List.<Executable>of(log::requireCommitted, () -> commit("b"), this::visible)) {
                final String message = assertThrows(LogException.class, action).getMessage();
                assertTrue(message.startsWith(metadata + " is damaged"), message);
                assertFalse(message.contains("net.openhft") || message.contains("Exception"), message);
            }
        }
        Files.write(metadata, whole);
        log.requireCommitted();
        assertEquals(List.of("a"), visible());
    }

    /** Also with no file before it; the next writer clears it away. */
    @Test
    void shouldNotTakeAFileThatAKilledProcessHadOnlyBegunForDamage() throws IOException {
        for (final String text : List.of("a", "b")) {
            try (TransactionalWriter writer = log.open("w", ++attempt)) {
                writer.recover(List.of());
            }
            final Path begun = path.resolve(nextFileName());
            for (final int length : new int[] {0, 1 << 16}) {
                Files.write(begun, new byte[length]);
                log.requireCommitted();
            }
            commit(text);
            log.requireCommitted();
            nowMs += CYCLE_MS;
        }
        assertEquals(List.of("a", "b"), visible());
    }

    private String nextFileName() throws IOException {
        final ChronicleQueueLog other = ChronicleQueueLog.at(folder.resolve("other " + nowMs))
                .rollCycle("FIVE_MINUTELY")
                .blockLength(1 << 20)
                .minFreeLength(0)
                .observedBy(() -> nowMs, CommitProbe.NONE);
        try (TransactionalWriter writer = other.open("w", 1)) {
            append(writer, 1, "a");
        }
        try (Stream<Path> files = Files.list(folder.resolve("other " + nowMs))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void shouldNoticeACutFile() throws IOException {
        commit("a");
        commit("b");
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        final int last = indexOf(whole, "b".getBytes(UTF_8));

        Files.write(file, Arrays.copyOf(whole, last));

        assertDamaged(file);
    }

    @Test
    void shouldMissAFileOfTheMiddleAndNotTheFirst() throws IOException {
        for (final String text : List.of("a", "b", "c")) {
            commit(text);
            nowMs += CYCLE_MS;
        }
        final List<Path> files = cycles();
        final Path aside = Files.move(files.get(1), folder.resolve("aside"));
        assertThrows(LogException.class, log::requireCommitted);

        Files.move(aside, files.get(1));
        Files.delete(files.get(0));
        log.requireCommitted();
        assertEquals(List.of("b", "c"), visible());
    }

    @Test
    void shouldFindTheDamageAmongManyCommitsAndLives() throws IOException {
        final List<String> texts = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            try (TransactionalWriter writer = log.open("w", ++attempt)) {
                for (int i = 0; i < 50; i++) {
                    texts.add("life " + life + " commit " + i);
                    append(writer, i, texts.get(texts.size() - 1));
                }
            }
        }
        log.requireCommitted();
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        for (final String text : List.of(texts.get(0), texts.get(75), texts.get(149))) {
            flip(file, whole, indexOf(whole, text.getBytes(UTF_8)), 1);
            assertDamaged(file);
        }
    }

    @Test
    void shouldKeepManyRecordsInSpansThatAreShortEnoughToFindDamage() throws IOException {
        final int records = 70_000;
        for (int commit = 0; commit < 3; commit++) {
            try (TransactionalWriter writer = log.open("w", ++attempt)) {
                final UnsafeBuffer record = new UnsafeBuffer(new byte[8]);
                for (int i = 0; i < records; i++) {
                    record.putLong(0, i);
                    writer.append(record, 0, 8);
                }
                writer.commit(writer.prepare(1));
            }
        }
        final List<CommittedSpan> spans = CommitJournal.committedIn(new QueueFolder(new DiskFileStore(), path))
                .spans();
        assertEquals(3, spans.size());
        assertEquals(spans.get(0).lastIndex() + 1, spans.get(1).firstIndex());
        log.requireCommitted();
    }

    @Test
    void shouldGoOnWithAJournalThatHasNoChecksums() throws IOException {
        commit("old");
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        Files.write(journal, ofVersion(2, Files.readAllBytes(journal)));
        log.requireCommitted();

        commit("new");

        log.requireCommitted();
        assertEquals(List.of("old", "new"), visible());
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        flip(file, whole, indexOf(whole, "new".getBytes(UTF_8)), 1);
        assertDamaged(file);
        flip(file, whole, indexOf(whole, "old".getBytes(UTF_8)), 1);
        log.requireCommitted();
    }

    @Test
    void shouldGoOnWithAJournalThatDoesNotNameWriters() throws IOException {
        final byte[] old = commit("old");
        final Path journal = new QueueFolder(new DiskFileStore(), path).journal();
        Files.write(journal, ofVersion(3, Files.readAllBytes(journal)));
        log.requireCommitted();
        requireNewest(old);

        final byte[] now = commit("new");

        log.requireCommitted();
        assertEquals(List.of("old", "new"), visible());
        requireNewest(now);
        assertThrows(LogException.class, () -> requireNewest(old));
        final Path file = cycles().get(0);
        final byte[] whole = Files.readAllBytes(file);
        flip(file, whole, indexOf(whole, "old".getBytes(UTF_8)), 1);
        assertDamaged(file);
    }

    private void openToWrite() {
        log.open("w", ++attempt).close();
    }

    private void requireNewest(final byte[] handle) {
        try (TransactionalWriter writer = log.open("w", ++attempt)) {
            writer.requireNewest(handle);
        }
    }

    /** A journal with one committed entry of one span, as an early version wrote it. */
    private static byte[] ofVersion(final int version, final byte[] journal) {
        final ByteBuffer now = ByteBuffer.wrap(journal).order(ByteOrder.LITTLE_ENDIAN);
        int committed = 16;
        while (now.getInt(committed + 8) != 2) {
            committed += now.getInt(committed) + 16;
        }
        final int payload = version == 2 ? 32 : 32 + 20;
        final ByteBuffer old = ByteBuffer.allocate(8 + payload + 16).order(ByteOrder.LITTLE_ENDIAN);
        old.putInt(now.getInt(0))
                .putInt(version)
                .putInt(payload)
                .putInt(~payload)
                .putInt(2);
        old.put(journal, committed + 12, 32).put(journal, committed + 12 + 40, payload - 32);
        final CRC32C checksum = new CRC32C();
        checksum.update(old.array(), 8, 12 + payload);
        return old.putInt((int) checksum.getValue()).array();
    }

    private void assertDamaged(final Path file) {
        final String message =
                assertThrows(LogException.class, log::requireCommitted).getMessage();
        assertTrue(message.startsWith(file + " is damaged: index 0x"), message);
    }

    private static void flip(final Path file, final byte[] whole, final int at, final int bit) throws IOException {
        final byte[] flipped = whole.clone();
        flipped[at] ^= (byte) bit;
        Files.write(file, flipped);
    }

    private static int indexOf(final byte[] bytes, final byte[] wanted) {
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    private byte[] commit(final String... texts) {
        try (TransactionalWriter writer = log.open("w", ++attempt)) {
            return append(writer, attempt, texts);
        }
    }

    private static byte[] append(final TransactionalWriter writer, final long checkpointId, final String... texts) {
        for (final String text : texts) {
            final byte[] bytes = text.getBytes(UTF_8);
            writer.append(new UnsafeBuffer(bytes), 0, bytes.length);
        }
        final byte[] handle = writer.prepare(checkpointId);
        writer.commit(handle);
        return handle;
    }

    /** Without a bound: Chronicle looks for the last record in tables that may be damaged. */
    private List<String> visible() {
        try (LogReader reader = log.open(0, ReplayableLog.START)) {
            final LogRecords records = new LogRecords();
            reader.poll(records, Integer.MAX_VALUE);
            return LogRecords.texts(records.records());
        }
    }

    private List<Path> cycles() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.toString().endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }
}
