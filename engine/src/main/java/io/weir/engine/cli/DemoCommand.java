package io.weir.engine.cli;

import io.weir.engine.cli.demo.DemoPlan;
import io.weir.engine.cli.demo.DemoResult;
import io.weir.engine.cli.demo.DemoRun;
import io.weir.engine.cli.file.FileTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir demo}: the main job on real trades, killed several times, and compared with known answers. */
@Command(
        name = "demo",
        description = {
            "Feeds two days of real trades, late and repeated, at a fixed rate to a job that drops repeats and makes"
                    + " windows of a minute; kills the job with SIGKILL again and again; compares what it has written with"
                    + " known answers.",
            "Exit status 1 on any difference."
        })
final class DemoCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 128 + 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--kills",
            defaultValue = "3",
            paramLabel = "N",
            description = "How often. Default: ${DEFAULT-VALUE}.")
    private int kills;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Decides when the kills happen. Default: another one each time.")
    private Long seed;

    @Option(
            names = "--rate",
            defaultValue = "5000",
            paramLabel = "R",
            description = "Records per second of the feed. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--checkpoint-interval",
            defaultValue = "100ms",
            paramLabel = "TIME",
            description = "From one checkpoint to the next. Default: ${DEFAULT-VALUE}.")
    private Duration checkpointInterval;

    @Option(
            names = "--replays",
            defaultValue = "5",
            paramLabel = "N",
            description = "How often the feed is read at full speed afterwards. Default: ${DEFAULT-VALUE}.")
    private int replays;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder to work in, empty or not there yet. Default: a temporary one.")
    private Path folder;

    @Option(names = "--keep", description = "Keep that folder.")
    private boolean keep;

    @Option(names = "--data", hidden = true, description = "Folder of feed and answers.")
    private Path data;

    @Override
    public Integer call() throws IOException {
        check();
        final PrintWriter out = spec.commandLine().getOut();
        try (StopSignal signal = new StopSignal()) {
            final Path work = folder == null ? Files.createTempDirectory("weir-demo-") : folder.toAbsolutePath();
            try {
                final DemoResult result = new DemoRun(plan(work), out, isTerminal(), signal::isRaised).run();
                result.print(out);
                return result.isRight() ? 0 : Main.FAILURE;
            } catch (final InterruptedException e) {
                // Said here: when the signal is closed, nobody waits for a later line.
                final PrintWriter err = spec.commandLine().getErr();
                err.println("weir: the demo was ended, its job was killed");
                err.flush();
                return INTERRUPTED;
            } finally {
                if (!keep) {
                    FileTree.delete(work);
                } else {
                    out.println("kept " + work);
                    out.flush();
                }
            }
        }
    }

    private DemoPlan plan(final Path work) {
        final List<String> flags = new LaunchProperties().jvmFlags(System.getenv(LaunchProperties.JAVA_OPTS));
        return new DemoPlan(
                data == null ? Path.of(System.getProperty("weir.home", ""), "data", "bitstamp-trades") : data,
                work,
                kills,
                seed == null ? System.nanoTime() & 0xFFFF_FFFFL : seed,
                rate,
                checkpointInterval,
                replays,
                new DemoPlan.ChildJvm(flags, Main.class.getName()));
    }

    private void check() throws IOException {
        require(kills >= 0, "--kills must not be negative");
        require(replays >= 0, "--replays must not be negative");
        require(rate >= 1 && rate <= 1e9, "--rate must be in [1, 1000000000]");
        require(checkpointInterval.toMillis() >= 1, "--checkpoint-interval must be at least 1 ms");
        if (folder != null && Files.exists(folder)) {
            require(Files.isDirectory(folder), "--dir: " + folder + " is not a folder");
            try (var entries = Files.list(folder)) {
                require(entries.findAny().isEmpty(), "--dir: " + folder + " is not empty");
            }
        }
    }

    private void require(final boolean holds, final String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    /** The launcher knows; a JVM of 22 or later can't tell by its console. */
    private static boolean isTerminal() {
        return Boolean.getBoolean("weir.terminal");
    }
}
