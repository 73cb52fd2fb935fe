package io.weir.engine.cli.process;

import io.weir.engine.Weir;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.cli.job.InputMark;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.JobPipeline;
import io.weir.engine.cli.job.JobSpec;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.chronicle.HaltingQueue;
import io.weir.storage.log.CsvLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Runs the job and halts the process, as a kill would, in the middle of a commit of windows. */
final class HaltInCommit {
    static final int HALTED = 137;

    private HaltInCommit() {}

    /**
     * Runs.
     *
     * @param args step, which time it is reached, input, folder of the job.
     */
    public static void main(final String[] args) throws IOException {
        final Path input = Path.of(args[2]).toAbsolutePath().normalize();
        final JobSpec spec = new JobSpec(
                "ohlc",
                input.toString(),
                InputMark.of(input),
                Duration.ofSeconds(60).toNanos(),
                Duration.ofSeconds(5).toNanos(),
                "id",
                1);
        try (JobFolder folder = JobFolder.open(Path.of(args[3]), spec);
                CsvLog log = CsvLog.at(input).partitionedBy("source").inflatedIn(folder.scratch());
                Weir weir = Weir.launch(new Weir.Context()
                        .workers(2)
                        .checkpoints(Checkpoints.every(Duration.ofMillis(5)).in(folder.checkpoints())))) {
            folder.begin();
            weir.run(JobPipeline.of(
                            JobKind.OHLC,
                            spec,
                            new JobPipeline.Input<>(log, JobKind.OHLC.csvCodec(log.header(), "id"), OnBadRecord.FAIL),
                            new JobPipeline.Output(
                                    HaltingQueue.at(folder.windows(), args[0], Integer.parseInt(args[1]), HALTED),
                                    ChronicleQueueLog.at(folder.late()))))
                    .join();
        }
    }
}
