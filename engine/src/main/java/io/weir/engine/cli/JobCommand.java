package io.weir.engine.cli;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Pipeline;
import io.weir.engine.cli.export.CsvExport;
import io.weir.engine.cli.export.LogRecords;
import io.weir.engine.cli.file.WholeFile;
import io.weir.engine.cli.job.InputMark;
import io.weir.engine.cli.job.JobFolder;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.JobPipeline;
import io.weir.engine.cli.job.JobSpec;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.Row;
import io.weir.engine.cli.job.Window;
import io.weir.engine.cli.text.Counts;
import io.weir.engine.status.JobState;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.log.CsvLog;
import io.weir.storage.log.ReplayableLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs a job on a CSV file: opens its folder, runs or resumes it, exports what it has written.
 *
 * @param <T> type of the records.
 * @param <A> type of the accumulator.
 * @param <W> type of the windows.
 */
final class JobCommand<T extends Row, A, W extends Window> {
    private final JobKind<T, A, W> kind;
    private final RunOptions options;
    private final PrintWriter out;
    private final UnaryOperator<ReplayableLog> feed;

    JobCommand(final JobKind<T, A, W> kind, final RunOptions options, final PrintWriter out) {
        this(kind, options, out, UnaryOperator.identity());
    }

    /** With a feed over the input's rows, which may hand them over later or in smaller lots. */
    JobCommand(
            final JobKind<T, A, W> kind,
            final RunOptions options,
            final PrintWriter out,
            final UnaryOperator<ReplayableLog> feed) {
        this.kind = kind;
        this.options = options;
        this.out = out;
        this.feed = feed;
    }

    /** Gives the exit status; errors are exceptions. */
    int call() {
        ChronicleQueueLog.registerShutdown();
        try (StopSignal signal = new StopSignal()) {
            return call(signal);
        }
    }

    private int call(final StopSignal signal) {
        final JobSettings settings = options.settings();
        final JobSpec spec = spec();
        if (options.csv() != null) {
            checkExport(options.csv());
            checkExport(CsvExport.lateFile(options.csv()));
        }
        try (JobFolder folder = JobFolder.open(options.output(), spec)) {
            if (signal.isRaised()) {
                say("stopped before it began; the same command begins or goes on");
                return Main.FAILURE;
            }
            if (folder.isFinished() || folder.hasCheckpoint()) {
                refuseDamagedResults(folder);
            }
            if (folder.isFinished()) {
                say("finished before, nothing to do: " + folder.summary());
            } else {
                final JobExecution.End end = run(folder, spec, settings, signal);
                if (!end.isFinal()) {
                    say(unfinished(end));
                    return Main.UNFINISHED;
                }
                if (options.csv() != null) {
                    refuseDamagedResults(folder);
                }
            }
            export(folder);
            return 0;
        }
    }

    private static String unfinished(final JobExecution.End end) {
        final long checkpoint = Math.max(
                end.status().checkpoints().lastCompletedId(), end.status().restoredCheckpointId());
        if (end.status().state() == JobState.CANCELLED) {
            return checkpoint == 0
                    ? "cancelled before its first checkpoint; the same command begins again"
                    : "cancelled; the same command goes on from checkpoint " + checkpoint;
        }
        return end.stop() == null || end.stop().savepoint() == null
                ? "stopped behind checkpoint " + checkpoint + "; the same command goes on from there"
                : "stopped behind savepoint " + end.stop().savepoint() + "; the same command goes on from there";
    }

    private void checkExport(final Path file) {
        final Path target = behindLinks(file);
        if (target.equals(behindLinks(options.input()))) {
            throw new UserException("the export " + file + " would overwrite the input");
        }
        if (target.startsWith(behindLinks(options.output()))) {
            throw new UserException("the export " + file + " would lie in the job's own folder " + options.output());
        }
        CsvExport.checkWritable(file);
    }

    /** Where a path leads to, links followed as far as it exists. */
    private static Path behindLinks(final Path path) {
        final Path whole = path.toAbsolutePath().normalize();
        try {
            return whole.toRealPath();
        } catch (final IOException notThere) {
            final Path folder = whole.getParent();
            return folder == null ? whole : behindLinks(folder).resolve(whole.getFileName());
        }
    }

    /** Results show only behind a completed checkpoint: with results and without one, going on would repeat them. */
    private static void refuseLostCheckpoints(final JobFolder folder) {
        if (folder.hasCheckpoint()) {
            return;
        }
        for (final Path queue : List.of(folder.windows(), folder.late())) {
            if (folder.holdsRecords(queue) && !LogRecords.isEmpty(ChronicleQueueLog.at(queue))) {
                throw new UserException(folder.checkpoints() + " has no checkpoint any more, but " + queue
                        + " has results: the job would repeat them; choose another --output");
            }
        }
    }

    /** The job made both queues before its first checkpoint. */
    private static void refuseDamagedResults(final JobFolder folder) {
        ChronicleQueueLog.at(folder.windows()).requireCommitted();
        ChronicleQueueLog.at(folder.late()).requireCommitted();
    }

    private JobSpec spec() {
        final Path input = options.input();
        final long windowNs = options.windowNs();
        final long latenessNs = options.latenessNs();
        try {
            // Follows links to the end, and names what is wrong with them.
            if (!Files.isRegularFile(input.toRealPath())) {
                throw new UserException(input + " is no file");
            }
            return new JobSpec(
                    kind.name(),
                    input.toAbsolutePath().normalize().toString(),
                    InputMark.of(input),
                    windowNs,
                    latenessNs,
                    options.dedup());
        } catch (final NoSuchFileException e) {
            throw new UserException(
                    input + (Files.isSymbolicLink(input) ? " is a link to a file that" : "") + " does not exist", e);
        } catch (final IOException e) {
            throw new UserException(input + " can't be read: " + WholeFile.reason(e), e);
        }
    }

    private JobExecution.End run(
            final JobFolder folder, final JobSpec spec, final JobSettings settings, final StopSignal signal) {
        try (CsvLog input = CsvLog.at(options.input()).partitionedBy("source").inflatedIn(folder.scratch())) {
            final Pipeline pipeline = JobPipeline.of(
                    kind,
                    spec,
                    new JobPipeline.Input<>(feed.apply(input), csvCodec(input), options.onBadRecord()),
                    new JobPipeline.Output(
                            ChronicleQueueLog.at(folder.windows()), ChronicleQueueLog.at(folder.late())));
            folder.begin();
            refuseLostCheckpoints(folder);
            final JobReport report = new JobReport(this::say);
            final JobExecution.End end = JobExecution.run(pipeline, settings, folder, signal, report::watch);
            if (end.isFinal()) {
                final String summary = (end.isDrained() ? "drained, " : "") + JobReport.summary(end.status());
                folder.finish(summary);
                say("finished: " + summary);
            }
            report.skipped(end.status());
            return end;
        }
    }

    private Codec<T> csvCodec(final CsvLog input) {
        final List<String> header = input.header();
        try {
            return kind.csvCodec(header, options.dedup());
        } catch (final IllegalArgumentException e) {
            throw new UserException(options.input() + ": " + e.getMessage(), e);
        }
    }

    private void export(final JobFolder folder) {
        if (options.csv() == null) {
            return;
        }
        final Path late = CsvExport.lateFile(options.csv());
        // Both are read before one is written.
        try (CsvExport<W> windows = CsvExport.windows(kind, folder.scratch());
                CsvExport<LateRow> lateRows = CsvExport.lateRows(options.dedup(), folder.scratch())) {
            windows.read(ChronicleQueueLog.at(folder.windows()));
            lateRows.read(ChronicleQueueLog.at(folder.late()));
            windows.write(options.csv());
            lateRows.write(late);
            say("wrote " + Counts.print(windows.count(), "window") + " to " + options.csv() + " and "
                    + Counts.print(lateRows.count(), "late row") + " to " + late + ", of the whole job");
        }
    }

    private void say(final String line) {
        out.println(kind.name() + ": " + line);
        out.flush();
    }
}
