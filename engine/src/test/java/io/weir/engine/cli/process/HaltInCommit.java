package io.weir.engine.cli.process;

import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.cli.data.PacedLog;
import io.weir.engine.cli.job.InputMark;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.JobPipeline;
import io.weir.engine.cli.job.JobSpec;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.chronicle.HaltingQueue;
import io.weir.storage.log.CsvLog;
import io.weir.storage.log.TransactionalLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Runs the job on a paced feed and halts the process, as a kill would, in the middle of a commit to one of its queues. */
final class HaltInCommit {
    static final int HALTED = 137;
    static final int PARALLELISM = 2;

    private HaltInCommit() {}

    /**
     * Runs.
     *
     * @param args queue, {@code windows} or {@code late}; step; which time it is reached; pace, see {@link PacedLog}; input; folder of
     *     the job.
     */
    public static void main(final String[] args) throws IOException {
        final String queue = args[0];
        final CommitStep step = CommitStep.valueOf(args[1]);
        final int time = Integer.parseInt(args[2]);
        final long pace = Long.parseLong(args[3]);
        final Path input = Path.of(args[4]).toAbsolutePath().normalize();
        final JobSpec spec = new JobSpec(
                "ohlc",
                input.toString(),
                InputMark.of(input),
                Duration.ofSeconds(60).toNanos(),
                Duration.ofSeconds(5).toNanos(),
                "id");
        try (JobFolder folder = JobFolder.open(Path.of(args[5]), spec);
                CsvLog log = CsvLog.at(input).partitionedBy("source").inflatedIn(folder.scratch());
                Weir weir = Weir.launch(new Weir.Context()
                        .workers(2)
                        .checkpoints(Checkpoints.every(Duration.ofMillis(5)).in(folder.checkpoints())))) {
            folder.begin();
            final PacedLog feed = new PacedLog(log, pace, folder.path().resolve("released"));
            weir.run(JobPipeline.of(
                                    JobKind.OHLC,
                                    spec,
                                    new JobPipeline.Input<>(
                                            feed, JobKind.OHLC.csvCodec(log.header(), "id"), OnBadRecord.SKIP),
                                    new JobPipeline.Output(
                                            log("windows", folder.windows(), queue, step, time),
                                            log("late", folder.late(), queue, step, time)))
                            .parallelism(PARALLELISM))
                    .join();
        }
    }

    private static TransactionalLog log(
            final String name, final Path path, final String haltingQueue, final CommitStep step, final int time) {
        return name.equals(haltingQueue)
                ? HaltingQueue.at(path, step.name(), time, HALTED)
                : ChronicleQueueLog.at(path);
    }
}
