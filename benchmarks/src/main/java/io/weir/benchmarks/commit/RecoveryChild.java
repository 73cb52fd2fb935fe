package io.weir.benchmarks.commit;

import io.weir.engine.status.JobState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The process that is killed: runs the job, tells when it has come how far, and ends with its parent. */
public final class RecoveryChild {
    private static final Logger LOGGER = Logger.getLogger("io.weir");
    private static final long WAIT_NS = 200_000;

    private RecoveryChild() {}

    /**
     * Runs the job until the process is killed, or the standard input ends.
     *
     * @param args folder, begin of the load, records per second, milliseconds between checkpoints.
     * @throws IOException if the standard input can't be read.
     */
    public static void main(final String[] args) throws IOException {
        tell("main");
        LOGGER.setLevel(Level.WARNING);
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        final CommitJob job = CommitJob.start(
                new PacedLog(Long.parseLong(args[1]), Long.parseLong(args[2]), Long.MAX_VALUE),
                Path.of(args[0]),
                Long.parseLong(args[3]));
        tell("launched");
        while (job.status().state() != JobState.RUNNING) {
            LockSupport.parkNanos(WAIT_NS);
        }
        tell("running");
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void tell(final String what) {
        System.out.println(what + ' ' + System.nanoTime());
    }
}
