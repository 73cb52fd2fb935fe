package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.queue.rollcycles.LegacyRollCycles;
import net.openhft.chronicle.queue.rollcycles.SparseRollCycles;
import net.openhft.chronicle.queue.rollcycles.TestRollCycles;

/**
 * How queues are opened.
 *
 * @param rollCycle of a queue that does not exist yet; one that does keeps its own.
 * @param blockLength that Chronicle maps at a time, in bytes.
 * @param maxTransactionLength most bytes that one transaction may stage.
 * @param minFreeLength bytes that must stay free on the disk after a commit.
 * @param clockMs wall clock that chooses the cycle.
 * @param probe told of each step of a commit.
 */
record QueueOptions(
        RollCycle rollCycle,
        int blockLength,
        long maxTransactionLength,
        long minFreeLength,
        LongSupplier clockMs,
        CommitProbe probe) {
    static final String METADATA = "metadata.cq4t";

    static final QueueOptions DEFAULTS = new QueueOptions(
            RollCycles.FAST_DAILY, 64 << 20, 1L << 30, 128 << 20, System::currentTimeMillis, CommitProbe.NONE);

    /** Opens the queue, creating it if need be. */
    static SingleChronicleQueue build(final Path path, final QueueOptions options, final CycleClock clock) {
        ChronicleFlags.check();
        silence();
        try {
            return SingleChronicleQueueBuilder.single(path.toFile())
                    .rollCycle(options.rollCycle())
                    .blockSize(options.blockLength())
                    .timeProvider(clock)
                    .build();
        } catch (final Exception ex) { // also checked ones, which Chronicle does not declare
            throw unreadable(path, ex);
        }
    }

    /** Chronicle's own words are of its classes; only the system's say more. */
    static LogException unreadable(final Path path, final Exception ex) {
        for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return new LogException(path + " can't be opened as a queue: " + cause.getMessage(), ex);
            }
        }
        return new LogException(
                path.resolve(METADATA) + " is damaged, or not that of a Chronicle queue: it can't be read; put it back",
                ex);
    }

    static RollCycle rollCycleNamed(final String name) {
        for (final RollCycle[] group : new RollCycle[][] {
            RollCycles.values(),
            LargeRollCycles.values(),
            SparseRollCycles.values(),
            LegacyRollCycles.values(),
            TestRollCycles.values()
        }) {
            for (final RollCycle cycle : group) {
                if (((Enum<?>) cycle).name().equals(name)) {
                    return cycle;
                }
            }
        }
        throw new LogException("rollCycle=" + name + " is none of Chronicle's, such as FAST_DAILY or FAST_HOURLY");
    }

    /** Chronicle would report its use to a web service, print a banner and watch the disk from a thread of its own. */
    private static void silence() {
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }
}
