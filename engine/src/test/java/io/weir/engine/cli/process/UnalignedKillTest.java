package io.weir.engine.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.cli.Cli;
import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.file.DiskFileStore;
import io.weir.storage.inspect.CheckpointInspection;
import io.weir.storage.inspect.InspectedSection;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a job with SIGKILL whose checkpoints hold records in flight, and lets it go on with as many subtasks or others: what it
 * writes in the end is what an unkilled run would have written.
 */
class UnalignedKillTest {
    private static final int KILLS = Integer.getInteger("weir.test.kills", 2);
    private static final int MAX_PARALLELISM = 3;
    private static final int VALUES = 10_000 * (KILLS + 1);
    private static final long WORK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long NO_WORK = 0;
    private static final long KILL_WITHIN_NS = TimeUnit.MILLISECONDS.toNanos(150);

    @TempDir
    private Path folder;

    private long timeoutMs;
    private int lives;

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    @Timeout(1200)
    void shouldWriteEachResultOnceAlsoWhatWasInFlightAtAKill(final long alignmentTimeoutMs) throws Exception {
        // given
        timeoutMs = alignmentTimeoutMs;
        final Random random = new Random(7 + alignmentTimeoutMs);
        int parallelism = 0;
        int rescaled = 0;
        int withChannelState = 0;
        long channelBytes = 0;

        // when
        for (int kill = 0; kill < KILLS; kill++) {
            final int before = parallelism;
            parallelism = 1 + random.nextInt(MAX_PARALLELISM);
            rescaled += kill > 0 && parallelism != before ? 1 : 0;
            final Newest killed = killAtWork(random, parallelism);
            withChannelState += killed.channelBytes > 0 ? 1 : 0;
            channelBytes += killed.channelBytes;
        }
        final int last = 1 + parallelism % MAX_PARALLELISM;
        rescaled++;
        final Newest newest = newest();
        assertEquals(newest.channelBytes, shownChannelBytes(newest.checkpointId));
        try (WeirProcess process = start(last, NO_WORK)) {
            assertEquals(0, process.awaitEnd(), process::output);
            assertEquals(newest.checkpointId, process.resumedFrom(), process::output);
        }

        // then
        assertEquals(expected(), written());
        assertTrue(withChannelState > 0, "no restored checkpoint had records in flight");
        System.out.println("unaligned after " + timeoutMs + " ms: " + KILLS + " kills, " + withChannelState
                + " restored checkpoints with records in flight, " + channelBytes + " bytes of them, " + rescaled
                + " restores at another parallelism; each of " + VALUES + " results is written once");
    }

    /**
     * At a random moment after the process has completed a checkpoint that holds records in flight; gives the newest, which the next
     * life has to go on from.
     */
    private Newest killAtWork(final Random random, final int parallelism) throws Exception {
        final Newest before = newest();
        try (WeirProcess process = start(parallelism, WORK_NS)) {
            process.await("a checkpoint behind " + before + " with records in flight", () -> {
                final Newest newest = newest();
                return newest.checkpointId > before.checkpointId && newest.channelBytes > 0;
            });
            WeirProcess.awaitNs(System.nanoTime() + random.nextLong(KILL_WITHIN_NS));
            assertTrue(process.kill(), () -> "the kill must meet the process alive: " + process.output());
            assertEquals(before.checkpointId, process.resumedFrom(), process::output);
        }
        return newest();
    }

    private WeirProcess start(final int parallelism, final long workNs) throws Exception {
        return WeirProcess.start(
                folder.resolve("log-" + ++lives),
                SlowJob.class.getName(),
                folder,
                VALUES,
                parallelism,
                timeoutMs,
                workNs);
    }

    private Newest newest() {
        final Path checkpoints = SlowJob.checkpoints(folder).resolve("slow");
        if (CheckpointsOnDisk.newestOf(checkpoints) == 0) {
            return Newest.NONE;
        }
        try (CheckpointInspection inspection =
                CheckpointInspection.openNewest(CheckpointFolder.at(new DiskFileStore(), checkpoints))) {
            return inspection == null ? Newest.NONE : Newest.of(inspection);
        }
    }

    /** What the command line says of the records in flight. */
    private long shownChannelBytes(final long checkpointId) {
        final String shown = Cli.run("checkpoints", "show", SlowJob.checkpoints(folder), "--id", "" + checkpointId)
                .succeeded()
                .out();
        assertTrue(shown.lines().noneMatch(line -> line.matches("section .* channel/.*")), shown);
        return shown.lines()
                .filter(line -> line.startsWith("channel "))
                .map(line -> line.split(" +"))
                .mapToLong(cells -> Long.parseLong(cells[6]))
                .sum();
    }

    private static Map<String, Integer> expected() {
        final Map<String, Integer> expected = new TreeMap<>();
        for (int value = 0; value < VALUES; value++) {
            expected.put(SlowJob.result(value % SlowJob.KEYS, 1 + value / SlowJob.KEYS), 1);
        }
        return expected;
    }

    private Map<String, Integer> written() {
        final Codec<String> codec = Codecs.strings();
        final Map<String, Integer> written = new TreeMap<>();
        try (LogReader reader = SlowJob.output(folder).bounded().open(0, ReplayableLog.START)) {
            while (reader.poll(
                            (position, nextPosition, buffer, offset, length) -> {
                                written.merge(codec.decode(buffer, offset, length), 1, Integer::sum);
                                return true;
                            },
                            1_000)
                    != LogReader.END_OF_LOG) {
                // Goes on.
            }
        }
        return written;
    }

    /** The newest completed checkpoint, and how many bytes of records in flight it holds. */
    private record Newest(long checkpointId, long channelBytes) {
        static final Newest NONE = new Newest(0, 0);

        static Newest of(final CheckpointInspection inspection) {
            assertTrue(
                    inspection.damages().isEmpty(), () -> inspection.damages().toString());
            return new Newest(
                    inspection.checkpointId(),
                    inspection.tasks().stream()
                            .flatMap(task -> task.sections().stream())
                            .filter(section -> section.name().startsWith("channel/"))
                            .mapToLong(InspectedSection::bytes)
                            .sum());
        }
    }
}
