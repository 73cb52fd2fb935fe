package io.weir.engine.cli;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.Restore;
import io.weir.engine.cli.demo.ChildReport;
import io.weir.engine.cli.demo.DemoPlan;
import io.weir.engine.cli.demo.FeedLog;
import io.weir.engine.cli.file.FileTree;
import io.weir.engine.cli.job.InputMark;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.JobPipeline;
import io.weir.engine.cli.job.JobSpec;
import io.weir.engine.cli.job.Tick;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.chronicle.ChronicleQueueLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir demo-job}: the child of a demo. It ends when its standard input does, because then its parent is gone. */
@Command(name = "demo-job", hidden = true, description = "The process that a demo kills.")
final class DemoJobCommand implements Callable<Integer> {
    private static final int WORKERS = 2;
    private static final int ORPHANED = 3;

    @Option(names = "--feed", required = true)
    private Path feed;

    @Option(names = "--output", required = true)
    private Path output;

    @Option(names = "--checkpoint-interval", required = true)
    private Duration checkpointInterval;

    @Option(names = "--replays", defaultValue = "0")
    private int replays;

    @Override
    public Integer call() throws IOException {
        endWithParent();
        final ChildReport report = new ChildReport(System.out);
        ChronicleQueueLog.registerShutdown();
        try (StopSignal signal = new StopSignal()) {
            if (replays == 0) {
                final JobStatus end = run(output, signal, new Watch(report)::paced);
                return end.state() == JobState.FINISHED ? 0 : Main.FAILURE;
            }
            for (int i = 0; i < replays; i++) {
                final Watch watch = new Watch(report);
                final JobStatus end = run(output, signal, watch::replayed);
                if (end.state() != JobState.FINISHED) {
                    return Main.FAILURE;
                }
                report.replayed(JobReport.records(end), watch.tookNs());
                FileTree.delete(output);
            }
            return 0;
        }
    }

    private JobStatus run(final Path folderPath, final StopSignal signal, final Consumer<JobStatus> watcher) {
        final JobSpec spec = new JobSpec(
                JobKind.OHLC.name(),
                feed.toString(),
                InputMark.GROWING,
                DemoPlan.WINDOW_NS,
                DemoPlan.LATENESS_NS,
                DemoPlan.ID_COLUMN);
        try (JobFolder folder = JobFolder.open(folderPath, spec)) {
            final Pipeline pipeline = JobPipeline.of(
                    JobKind.OHLC,
                    spec,
                    new JobPipeline.Input<>(new FeedLog(ChronicleQueueLog.at(feed)), Tick.codec(), OnBadRecord.FAIL),
                    new JobPipeline.Output(
                            ChronicleQueueLog.at(folder.windows()), ChronicleQueueLog.at(folder.late())));
            folder.begin();
            return JobExecution.run(
                            pipeline,
                            new JobSettings(
                                    1,
                                    WORKERS,
                                    Checkpoints.every(checkpointInterval),
                                    Restore.newest(),
                                    JobSettings.StatePlace.MEMORY),
                            folder,
                            signal,
                            watcher)
                    .status();
        }
    }

    private static void endWithParent() {
        final Thread watch = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (final IOException e) {
                        System.err.println("weir: the parent can't be heard any more: " + e.getMessage());
                    }
                    Runtime.getRuntime().halt(ORPHANED);
                },
                "weir-parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /** What is told of one run. */
    private static final class Watch {
        private final ChildReport report;
        private long runningNs;
        private long endNs;

        Watch(final ChildReport report) {
            this.report = report;
        }

        void paced(final JobStatus status) {
            report.watch(status, JobReport.records(status));
        }

        void replayed(final JobStatus status) {
            final long nowNs = System.nanoTime();
            if (runningNs == 0 && status.state() == JobState.RUNNING) {
                runningNs = nowNs;
            }
            if (status.state().isTerminal()) {
                endNs = nowNs;
            }
        }

        long tookNs() {
            return endNs - (runningNs == 0 ? endNs : runningNs);
        }
    }
}
