package io.weir.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.file.SimulatedFileStore;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job whose machine dies before the k-th change of its disk, for every k that there is: each write, force, rename, deletion and
 * creation in the life of its checkpoints and of its output. The moment after a change is the one before the next. Of what was not
 * forced, all is lost, some, or nothing.
 *
 * <p>FLINK-36421, FLINK-35217: nothing that is not forced is ever named by what is. jet-1234, hazelcast-18675: what a restore finds is
 * whole.
 */
final class CrashAtEveryStepTest {
    private static final int RECORDS = 8;
    private static final int RECORDS_WHERE_TWO_DIE = 6;

    /** Checkpoints that a run without faults must take at least, or it would say little. */
    private static final int CHECKPOINTS = 5;

    private static final QuietLog LOG = new QuietLog();

    @BeforeAll
    static void quieten() {
        LOG.begin();
    }

    @AfterAll
    static void restoreLog() {
        LOG.end();
    }

    /** What a death does to the disk. */
    private enum Loss {
        ALL,
        SOME,
        NOTHING
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWriteExactlyWhatItShouldWhereverItDies(final boolean hasPages) {
        final SteppedJob undisturbed = new SteppedJob(0, hasPages, RECORDS);
        undisturbed.runToTheEnd();
        assertTrue(undisturbed.status().checkpoints().completed() >= CHECKPOINTS, () -> "" + undisturbed.status());
        final long steps = undisturbed.disk().changes();
        undisturbed.assertExactAndTidy();

        for (final Loss loss : Loss.values()) {
            for (long step = 1; step <= steps; step++) {
                final long at = step;
                inContext(() -> "death before step " + at + " of " + steps + ", lost: " + loss, () -> {
                    final SteppedJob job = new SteppedJob(at, hasPages, RECORDS);
                    dieAt(job, at, loss);
                    job.runToTheEnd();
                    job.assertExactAndTidy();
                });
            }
        }
    }

    /** The second death comes at each step of the recovery from the first. */
    @Test
    void shouldRecoverFromADeathInTheMiddleOfARecovery() {
        final SteppedJob undisturbed = new SteppedJob(0, true, RECORDS_WHERE_TWO_DIE);
        undisturbed.runToTheEnd();
        final long steps = undisturbed.disk().changes();
        undisturbed.assertExactAndTidy();
        long recoveries = 0;
        for (final Loss loss : List.of(Loss.ALL, Loss.SOME)) {
            for (long first = 1; first <= steps; first += 17) {
                boolean isOver = false;
                for (long second = 1; !isOver; second++) {
                    final SteppedJob job = new SteppedJob(first * 1_000 + second, true, RECORDS_WHERE_TWO_DIE);
                    final long one = first;
                    final long two = second;
                    final boolean[] isRecovered = new boolean[1];
                    inContext(
                            () -> "death before step " + one + ", and before step " + two + " after it, lost: " + loss,
                            () -> {
                                dieAt(job, one, loss);
                                isRecovered[0] = !tryDieInRecovery(job, two, loss);
                                job.runToTheEnd();
                                job.assertExactAndTidy();
                            });
                    isOver = isRecovered[0];
                    recoveries += isOver ? 0 : 1;
                }
            }
        }
        assertTrue(recoveries > steps, recoveries + " deaths in recoveries");
    }

    /** FLINK-24667: what fails belongs to one checkpoint. */
    @Test
    void shouldFailTheCheckpointAndGoOnWhileTheDiskIsFull() {
        final SteppedJob undisturbed = new SteppedJob(0, true, RECORDS);
        undisturbed.runUntil(undisturbed::isRunning);
        final long begin = undisturbed.disk().changes();
        undisturbed.runToTheEnd();
        final long steps = undisturbed.disk().changes();
        undisturbed.assertExactAndTidy();
        int refused = 0;
        for (long step = 1; step <= steps - begin; step++) {
            final long at = step;
            final boolean[] wasRefused = new boolean[1];
            inContext(() -> "disk full before step " + at + " of the running job", () -> wasRefused[0] = fillAt(at));
            refused += wasRefused[0] ? 1 : 0;
        }
        assertTrue(refused > (steps - begin) / 2, refused + " of " + (steps - begin) + " met a full disk");
    }

    private static void dieAt(final SteppedJob job, final long step, final Loss loss) {
        final SimulatedFileStore disk = job.disk();
        disk.beforeChange(step, disk::die);
        job.runToTheEnd();
        assertTrue(disk.isDead(), "the job ended before that");
        restart(job, loss);
    }

    /** Gives back whether the recovery, up to its first own checkpoint, came so far. */
    private static boolean tryDieInRecovery(final SteppedJob job, final long step, final Loss loss) {
        final SimulatedFileStore disk = job.disk();
        disk.beforeChange(step, disk::die);
        job.runUntil(() -> job.status().checkpoints().completed() > 0);
        if (disk.isDead()) {
            restart(job, loss);
            return true;
        }
        disk.calm();
        return false;
    }

    private static void restart(final SteppedJob job, final Loss loss) {
        job.bury();
        switch (loss) {
            case ALL -> job.disk().crashLosingAll();
            case SOME -> job.disk().crash();
            case NOTHING -> job.disk().kill();
        }
        job.start();
    }

    /** Gives back whether a checkpoint found no room. */
    private static boolean fillAt(final long step) {
        final SteppedJob job = new SteppedJob(step, true, RECORDS);
        final SimulatedFileStore disk = job.disk();
        job.runUntil(job::isRunning);
        disk.beforeChange(step, () -> disk.capacity(disk.usedBytes()));
        job.runUntil(() -> job.status().checkpoints().aborted() > 1);
        final boolean isRefused = job.status().checkpoints().aborted() > 0;
        if (isRefused) {
            final String reason = job.status().checkpoints().lastAbortReason();
            assertTrue(reason.contains("no space left on the simulated disk"), reason);
        }
        final long completed = job.status().checkpoints().completed();
        final boolean isEnded = !job.isRunning();
        disk.capacity(Long.MAX_VALUE);
        job.runToTheEnd();
        assertTrue(isEnded || job.status().checkpoints().completed() > completed, () -> "" + job.status());
        assertEquals(List.of(), job.status().restarts());
        job.assertExactAndTidy();
        return isRefused;
    }

    private static void inContext(final Supplier<String> context, final Runnable check) {
        try {
            check.run();
        } catch (final AssertionError | RuntimeException e) {
            throw new AssertionError(context.get() + ": " + e.getMessage(), e);
        }
    }
}
