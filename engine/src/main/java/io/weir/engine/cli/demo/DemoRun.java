package io.weir.engine.cli.demo;

import io.weir.engine.cli.export.CsvExport;
import io.weir.engine.cli.export.LogRecords;
import io.weir.engine.cli.file.TextLines;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.OhlcWindow;
import io.weir.engine.cli.text.Progress;
import io.weir.storage.chronicle.ChronicleQueueLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Feeds real trades at a fixed rate, kills the job that reads them and starts it again, and compares what it has written with
 * the answers. One thread.
 */
public final class DemoRun {
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long START_DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_DEADLINE_NS = TimeUnit.SECONDS.toNanos(120);

    private final DemoPlan plan;
    private final PrintWriter out;
    private final boolean isTerminal;
    private final BooleanSupplier isStopped;
    private final Outages outages = new Outages();
    private final CheckpointTotals checkpoints = new CheckpointTotals();
    private final List<DemoResult.Replay> replays = new ArrayList<>();
    private Feed feed;
    private Progress progress;
    private Child child;
    private long startNs;
    private boolean isRunning;
    private boolean hasRead;
    private int kills;

    /**
     * A demo that has not begun.
     *
     * @param plan of the demo.
     * @param out where progress is shown.
     * @param isTerminal whether that is a terminal.
     * @param isStopped asked all the time: whether the user wants it to end.
     */
    public DemoRun(
            final DemoPlan plan, final PrintWriter out, final boolean isTerminal, final BooleanSupplier isStopped) {
        this.plan = plan;
        this.out = out;
        this.isTerminal = isTerminal;
        this.isStopped = isStopped;
    }

    /**
     * Runs it.
     *
     * @return what came of it.
     * @throws IOException if files can't be read or written, or no process can be started.
     * @throws InterruptedException if the calling thread is interrupted or the user ended the demo.
     * @throws DemoException if the job failed; the message says how.
     */
    public DemoResult run() throws IOException, InterruptedException {
        Files.createDirectories(plan.folder());
        feed = Feed.load(plan.feedCsv(), plan.folder(), DemoPlan.ID_COLUMN, plan.recordsPerSecond());
        progress = isTerminal ? Progress.bar(out, feed.size()) : Progress.lines(out, feed.size());
        final List<WindowTail.Sighting> sightings;
        try (FeedWriter writer = new FeedWriter(feed, plan.feedQueue());
                WindowTail tail = new WindowTail(plan.output().resolve("windows"))) {
            startChild();
            awaitRunning();
            feed(writer, tail);
            sightings = tail.sightings();
        } finally {
            killChild();
        }
        replay();
        return new DemoResult(
                plan,
                feed.size(),
                kills,
                outages,
                checkpoints,
                LatencyReport.of(feed, DemoPlan.LATENESS_NS, sightings, outages),
                List.copyOf(replays),
                compareWindows(),
                compareLateRows());
    }

    private void awaitRunning() throws InterruptedException {
        final long deadlineNs = System.nanoTime() + START_DEADLINE_NS;
        while (!isRunning) {
            listen();
            if (!child.isAlive()) {
                throw new DemoException("the job did not start: it ended with status " + child.await());
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new DemoException("the job did not start within 60 s");
            }
            pause();
        }
    }

    private void feed(final FeedWriter writer, final WindowTail tail) throws IOException, InterruptedException {
        final long feedNs = feed.dueNs(feed.size() - 1);
        final long[] killTimesNs = plan.killTimesNs(feedNs);
        startNs = System.nanoTime();
        while (child.isAlive()) {
            int work = writer.append(sinceStartNs());
            work += tail.poll(sinceStartNs());
            listen();
            if (kills < killTimesNs.length && sinceStartNs() >= killTimesNs[kills] && hasRead) {
                killAndRestart();
            }
            if (kills == killTimesNs.length) {
                writer.tryEnd();
            }
            progress.show(
                    System.nanoTime(),
                    writer.appended(),
                    String.format(
                            Locale.ROOT,
                            "%,d windows, %d kills",
                            tail.sightings().size(),
                            kills));
            if (sinceStartNs() > feedNs + END_DEADLINE_NS) {
                throw new DemoException("the job did not end within 120 s of the feed");
            }
            if (work == 0) {
                pause();
            }
        }
        final int status = child.await();
        listen();
        if (status != 0 || !writer.hasEnded()) {
            throw new DemoException(
                    "the job ended with status " + status + " after " + writer.appended() + " records of the feed");
        }
        tail.drain(sinceStartNs());
        progress.finish(String.format(
                Locale.ROOT, "%,d windows, %d kills", tail.sightings().size(), kills));
    }

    private void killAndRestart() throws IOException, InterruptedException {
        final long killedNs = sinceStartNs();
        child.kill();
        listen();
        kills++;
        outages.killed(killedNs);
        progress.say(String.format(Locale.ROOT, "killed the job after %.2f s, starting it again", killedNs / 1e9));
        startChild();
    }

    private void replay() throws IOException, InterruptedException {
        if (plan.replays() == 0) {
            return;
        }
        progress.say("reading the whole feed again at full speed, " + plan.replays() + " times");
        child = start("--output", plan.replayOutput().toString(), "--replays", Integer.toString(plan.replays()));
        try {
            while (child.isAlive()) {
                listen();
                pause();
            }
            final int status = child.await();
            listen();
            if (status != 0) {
                throw new DemoException("the job at full speed ended with status " + status);
            }
        } finally {
            killChild();
        }
    }

    private void startChild() throws IOException {
        isRunning = false;
        hasRead = false;
        child = start("--output", plan.output().toString());
    }

    private Child start(final String... arguments) throws IOException {
        final List<String> all = new ArrayList<>(List.of(
                "demo-job",
                "--feed",
                plan.feedQueue().toString(),
                "--checkpoint-interval",
                plan.checkpointInterval().toNanos() + "ns"));
        all.addAll(List.of(arguments));
        return Child.start(plan.child().flags(), plan.child().mainClass(), all);
    }

    private void killChild() throws IOException, InterruptedException {
        if (child != null) {
            child.kill();
        }
    }

    /** Takes up what the child has told. */
    private void listen() {
        for (String line; (line = child.poll()) != null; ) {
            if (line.startsWith(ChildReport.RUNNING)) {
                isRunning = true;
                checkpoints.newProcess();
                progress.say("the job runs from checkpoint " + line.substring(ChildReport.RUNNING.length()));
            } else if (line.equals(ChildReport.FIRST_RECORD)) {
                hasRead = true;
                outages.firstRecord(sinceStartNs());
            } else if (line.startsWith(ChildReport.CHECKPOINTS)) {
                checkpoints.update(ChildReport.checkpoints(line));
            } else if (line.startsWith(ChildReport.REPLAYED)) {
                replays.add(DemoResult.Replay.parse(line.substring(ChildReport.REPLAYED.length())));
            } else {
                progress.say(line);
            }
        }
    }

    private Comparison compareWindows() throws IOException {
        final List<OhlcWindow> windows = LogRecords.read(
                ChronicleQueueLog.at(plan.output().resolve("windows")).bounded(), OhlcWindow.codec());
        return Comparison.of(
                "windows", TextLines.read(plan.expectedWindows()), CsvExport.windows(JobKind.OHLC.columns(), windows));
    }

    private Comparison compareLateRows() throws IOException {
        final List<LateRow> rows = LogRecords.read(
                ChronicleQueueLog.at(plan.output().resolve("late")).bounded(), LateRow.codec());
        return Comparison.of(
                "late rows", TextLines.read(plan.expectedLateRows()), CsvExport.lateRows(DemoPlan.ID_COLUMN, rows));
    }

    private void pause() throws InterruptedException {
        if (isStopped.getAsBoolean()) {
            throw new InterruptedException("the demo was ended by the user");
        }
        LockSupport.parkNanos(IDLE_NS);
    }

    private long sinceStartNs() {
        return System.nanoTime() - startNs;
    }
}
