package io.weir.storage.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.ClassArchive;
import io.weir.storage.chronicle.CommitProbe.Step;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.LogRecords;
import io.weir.storage.log.ReplayableLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a job that writes to a queue, again and again, and looks for records lost, repeated or out of order. */
class ChronicleCrashTest {
    private static final String NO_STEP = "none";
    private static final int SIGNAL_KILLS = 14;
    private static final int MAX_LINES = 120;
    private static final int MAX_LINES_AHEAD = 40;
    private static final int KILLED = 128 + 9;
    private static final long CHILD_SECONDS = 60;

    @TempDir
    private static Path shared;

    private static ClassArchive classes;

    @TempDir
    private Path folder;

    @BeforeAll
    static void runWithoutACrash() throws Exception {
        classes = ClassArchive.in(shared);
        final Process job = start(classes.written(), shared, NO_STEP, 0);
        job.getInputStream().transferTo(OutputStream.nullOutputStream());
        assertEquals(0, exit(job), () -> errors(shared));
    }

    @Test
    @Timeout(600)
    void shouldWriteEachRecordOnceHoweverTheProcessDiesAtAnyStep() throws Exception {
        for (final Step step : Step.values()) {
            for (final int occurrence : new int[] {1, 2, step == Step.RECORD_OPEN ? 37 : 5}) {
                runAndHalt(step, occurrence);
                assertPrefixVisible();
            }
        }
        finish();
    }

    @Test
    @Timeout(600)
    void shouldWriteEachRecordOnceHoweverOftenTheProcessIsKilled() throws Exception {
        assertTrue(
                SIGNAL_KILLS * (MAX_LINES + MAX_LINES_AHEAD) < CrashingJob.RECORDS * CrashingJob.STEPS_PER_RECORD,
                "no kill may come to a job that has done all its work");
        final long seed = Long.getLong("weir.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        try {
            for (int i = 0; i < SIGNAL_KILLS; i++) {
                runAndKill(1 + random.nextInt(MAX_LINES));
                assertPrefixVisible();
            }
            finish();
        } catch (final AssertionError | Exception e) {
            throw new AssertionError("-Dweir.test.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    private void runAndHalt(final Step step, final int occurrence) throws Exception {
        final Process job = start(step.name(), occurrence);
        try (BufferedReader lines = job.inputReader()) {
            readLines(lines, Integer.MAX_VALUE);
        }
        assertEquals(1, exit(job), () -> "the job must halt at " + step + ": " + errors());
    }

    /** The signal meets the job wherever it is when so many lines have come; the job waits for it a few steps on. */
    private void runAndKill(final int afterLines) throws Exception {
        final Process job = start(CrashingJob.HOLD, afterLines + MAX_LINES_AHEAD);
        try (BufferedReader lines = job.inputReader()) {
            assertEquals(afterLines, readLines(lines, afterLines), this::errors);
            job.toHandle().destroyForcibly();
            assertEquals(KILLED, exit(job), () -> "the kill must meet the job at work: " + errors());
        }
    }

    private void finish() throws Exception {
        final Process job = start(NO_STEP, 0);
        try (BufferedReader lines = job.inputReader()) {
            readLines(lines, Integer.MAX_VALUE);
        }
        assertEquals(0, exit(job), this::errors);
        final List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < CrashingJob.RECORDS; i++) {
            expected.add(CrashingJob.record(i));
        }
        LogRecords.assertSame(expected, visible());
        LogRecords.assertSame(expected, visibleToChronicle());
        assertEquals(List.of(), new QueueFolder(new DiskFileStore(), folder.resolve("queue")).allStaged());
    }

    private Process start(final String step, final int occurrence) throws IOException {
        return start(classes.used(), folder, step, occurrence);
    }

    private static Process start(
            final List<String> classPath, final Path folder, final String step, final int occurrence)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--") || argument.startsWith("-XX:+Ignore"))
                .toList());
        command.addAll(List.of("-ea", "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(classPath);
        command.addAll(List.of(CrashingJob.class.getName(), folder.toString(), step, Integer.toString(occurrence)));
        return new ProcessBuilder(command)
                .redirectError(Redirect.to(folder.resolve("errors").toFile()))
                .start();
    }

    private static int readLines(final BufferedReader lines, final int limit) throws IOException {
        int count = 0;
        while (count < limit && lines.readLine() != null) {
            count++;
        }
        return count;
    }

    private static int exit(final Process job) throws InterruptedException {
        if (!job.waitFor(CHILD_SECONDS, TimeUnit.SECONDS)) {
            job.destroyForcibly();
            throw new AssertionError("the job did not end within " + CHILD_SECONDS + " s");
        }
        return job.exitValue();
    }

    private String errors() {
        return errors(folder);
    }

    private static String errors(final Path folder) {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (final IOException ex) {
            return ex.toString();
        }
    }

    private void assertPrefixVisible() {
        final List<byte[]> visible = visible();
        final List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < visible.size(); i++) {
            expected.add(CrashingJob.record(i));
        }
        LogRecords.assertSame(expected, visible);
        assertTrue(visible.size() <= CrashingJob.RECORDS);
    }

    private List<byte[]> visible() {
        if (!Files.exists(folder.resolve("queue").resolve("metadata.cq4t"))) {
            return List.of();
        }
        try (LogReader reader = CrashingJob.logIn(folder).bounded().open(0, ReplayableLog.START)) {
            return LogRecords.readAll(reader).records();
        }
    }

    private List<byte[]> visibleToChronicle() {
        final List<byte[]> records = new ArrayList<>();
        try (SingleChronicleQueue queue = QueueOptions.build(
                        folder.resolve("queue"), QueueOptions.DEFAULTS, new CycleClock(System::currentTimeMillis));
                ExcerptTailer tailer = queue.createTailer()) {
            while (true) {
                try (DocumentContext document = tailer.readingDocument()) {
                    if (!document.isPresent()) {
                        return records;
                    }
                    records.add(document.wire().bytes().toByteArray());
                }
            }
        }
    }
}
