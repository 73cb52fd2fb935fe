package io.weir.engine.cli.demo;

import io.weir.engine.cli.export.CsvExport;
import io.weir.engine.cli.file.TextLines;
import io.weir.engine.cli.job.JobKind;
import io.weir.engine.cli.job.LateRow;
import io.weir.engine.cli.job.OhlcWindow;
import io.weir.engine.cli.text.Counts;
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

    private static final int INTERRUPTED = 128 + 2;
    private static final int TERMINATED = 128 + 15;

    private final DemoPlan plan;
    private final PrintWriter out;
    private final boolean isTerminal;
    private final BooleanSupplier isStopped;
    private final Outages outages = new Outages();
    private final Lives lives = new Lives();
    private final double loadBefore = Machine.loadAverage();
    private final CheckpointTotals checkpoints = new CheckpointTotals();
    private final List<DemoResult.Replay> replays = new ArrayList<>();
    private Feed feed;
    private Progress progress;
    private Child child;
    private long startNs;
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
        try {
            return runToEnd();
        } finally {
            if (progress != null) {
                progress.clear();
            }
        }
    }

    private DemoResult runToEnd() throws IOException, InterruptedException {
        Files.createDirectories(plan.folder());
        feed = Feed.load(plan.feedCsv(), plan.folder(), DemoPlan.ID_COLUMN, plan.recordsPerSecond());
        progress = isTerminal ? Progress.bar(out, feed.size(), "records") : Progress.lines(out, feed.size(), "records");
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
                Machine.here().describe(loadBefore, Machine.loadAverage()),
                lives,
                outages,
                checkpoints,
                LatencyReport.of(feed, DemoPlan.LATENESS_NS, sightings, outages),
                List.copyOf(replays),
                compareWindows(),
                compareLateRows());
    }

    private void awaitRunning() throws InterruptedException {
        final long deadlineNs = System.nanoTime() + START_DEADLINE_NS;
        while (!lives.isRunning()) {
            listen();
            if (!child.isAlive()) {
                throw new DemoException("the job did not start: it ended with status " + awaitEnd());
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
            // Each life to come has a record left to read.
            int work = writer.append(sinceStartNs(), killTimesNs.length - kills);
            work += tail.poll(sinceStartNs());
            listen();
            if (kills < killTimesNs.length && sinceStartNs() >= killTimesNs[kills] && lives.mayBeKilled()) {
                killAndRestart();
            }
            if (kills == killTimesNs.length) {
                writer.tryEnd();
            }
            progress.show(System.nanoTime(), writer.appended(), figures(tail));
            if (sinceStartNs() > feedNs + END_DEADLINE_NS) {
                throw new DemoException("the job did not end within 120 s of the feed");
            }
            if (work == 0) {
                pause();
            }
        }
        final int status = awaitEnd();
        if (status != 0 || !writer.hasEnded()) {
            throw new DemoException(
                    "the job ended with status " + status + " after " + writer.appended() + " records of the feed");
        }
        tail.drain(sinceStartNs());
        progress.finish(figures(tail));
    }

    private String figures(final WindowTail tail) {
        return Counts.print(tail.sightings().size(), "window") + ", " + Counts.print(kills, "kill");
    }

    /**
     * Waits for a process that ends by itself. A terminal sends its Ctrl-C to the job, too, which may hear it first: then the user
     * has ended the demo.
     */
    private int awaitEnd() throws InterruptedException {
        final int status = child.await();
        listen();
        if (isStopped.getAsBoolean() || status == INTERRUPTED || status == TERMINATED) {
            throw ended();
        }
        return status;
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
        progress.say("reading the whole feed again at full speed, " + Counts.print(plan.replays(), "time"));
        child = start("--output", plan.replayOutput().toString(), "--replays", Integer.toString(plan.replays()));
        try {
            while (child.isAlive()) {
                listen();
                pause();
            }
            final int status = awaitEnd();
            if (status != 0) {
                throw new DemoException("the job at full speed ended with status " + status);
            }
        } finally {
            killChild();
        }
    }

    private void startChild() throws IOException {
        lives.started();
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
                final long restored = Long.parseLong(line.substring(ChildReport.RUNNING.length()));
                lives.running(restored);
                checkpoints.newProcess();
                progress.say("the job runs from " + (restored == 0 ? "the beginning" : "checkpoint " + restored));
            } else if (line.equals(ChildReport.FIRST_RECORD)) {
                lives.firstRecord();
                outages.firstRecord(sinceStartNs());
            } else if (line.startsWith(ChildReport.CHECKPOINTS)) {
                final ChildReport.Checkpoints soFar = ChildReport.checkpoints(line);
                lives.completed(soFar.lastId());
                checkpoints.update(soFar);
            } else if (line.startsWith(ChildReport.REPLAYED)) {
                replays.add(DemoResult.Replay.parse(line.substring(ChildReport.REPLAYED.length())));
            } else {
                progress.say(line);
            }
        }
    }

    private Comparison compareWindows() throws IOException {
        try (CsvExport<OhlcWindow> windows = CsvExport.windows(JobKind.OHLC, plan.folder())) {
            return Comparison.of("windows", TextLines.read(plan.expectedWindows()), lines(windows, "windows"));
        }
    }

    private Comparison compareLateRows() throws IOException {
        try (CsvExport<LateRow> rows = CsvExport.lateRows(DemoPlan.ID_COLUMN, plan.folder())) {
            return Comparison.of("late rows", TextLines.read(plan.expectedLateRows()), lines(rows, "late"));
        }
    }

    private List<String> lines(final CsvExport<?> export, final String queue) {
        final List<String> lines = new ArrayList<>();
        export.read(ChronicleQueueLog.at(plan.output().resolve(queue))).lines().forEachRemaining(lines::add);
        return lines;
    }

    private void pause() throws InterruptedException {
        if (isStopped.getAsBoolean()) {
            throw ended();
        }
        LockSupport.parkNanos(IDLE_NS);
    }

    private static InterruptedException ended() {
        return new InterruptedException("the demo was ended by the user");
    }

    private long sinceStartNs() {
        return System.nanoTime() - startNs;
    }
}
