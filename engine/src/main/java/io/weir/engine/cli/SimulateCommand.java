package io.weir.engine.cli;

import io.weir.engine.cli.text.Progress;
import io.weir.engine.simulation.Simulation;
import io.weir.engine.simulation.SimulationResult;
import io.weir.engine.simulation.SimulationResult.Event;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir simulate}: whole jobs under seeded schedulers. */
@Command(
        name = "simulate",
        description = {
            "Runs whole jobs on one thread, each under a seed that says which task runs, what is late, what crashes and which"
                    + " write is lost; compares their output with what a plain model expects.",
            "A seed that fails is printed, and fails again in the same way. Exit status 1 on any failure."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");
    private static final int MAX_FAILURES = 10;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", description = "Run this seed.")
    private Long seed;

    @Option(names = "--seeds", paramLabel = "FROM..TO", description = "Run these seeds, both ends included.")
    private String seeds;

    @Option(names = "--trace", description = "Print every step; goes with --seed.")
    private boolean trace;

    @Override
    public Integer call() {
        if ((seed == null) == (seeds == null)) {
            throw new ParameterException(spec.commandLine(), "either --seed or --seeds is needed");
        }
        if (trace && seed == null) {
            throw new ParameterException(spec.commandLine(), "--trace goes with --seed only");
        }
        final PrintWriter out = spec.commandLine().getOut();
        try {
            return seed == null ? runSeeds(out) : runSeed(out);
        } finally {
            out.flush();
        }
    }

    private int runSeed(final PrintWriter out) {
        final SimulationResult result = Simulation.run(seed, trace ? out::println : null);
        if (result.isRight()) {
            out.println("seed " + seed + " is right: " + describe(result.counts()));
            out.println("  job: " + result.scenario());
            return 0;
        }
        out.println(result.describe());
        if (trace && result.cause() != null) {
            result.cause().printStackTrace(out);
        }
        return Main.FAILURE;
    }

    private int runSeeds(final PrintWriter out) {
        final Matcher range = RANGE.matcher(seeds);
        if (!range.matches() || Long.parseLong(range.group(1)) > Long.parseLong(range.group(2))) {
            throw new ParameterException(
                    spec.commandLine(), "--seeds '" + seeds + "' is not of the form FROM..TO, such as 0..299");
        }
        final long from = Long.parseLong(range.group(1));
        final long to = Long.parseLong(range.group(2));
        final Map<Event, Long> counts = new EnumMap<>(Event.class);
        final Progress progress =
                isTerminal() ? Progress.bar(out, to - from + 1, "seeds") : Progress.lines(out, to - from + 1, "seeds");
        int failures = 0;
        for (long each = from; each <= to && failures < MAX_FAILURES; each++) {
            final SimulationResult result = Simulation.run(each);
            result.counts().forEach((event, count) -> counts.merge(event, count, Long::sum));
            if (!result.isRight()) {
                failures++;
                progress.say(result.describe());
            }
            progress.show(System.nanoTime(), each - from + 1, failures(failures));
        }
        progress.clear();
        out.println(failures(failures) + ": " + describe(counts));
        return failures == 0 ? 0 : Main.FAILURE;
    }

    private static String failures(final int failures) {
        return failures == 0 ? "no failure" : failures == 1 ? "1 failure" : failures + " failures";
    }

    private static String describe(final Map<Event, Long> counts) {
        return new EnumMap<>(counts)
                .entrySet().stream()
                        .map(count -> String.format(Locale.ROOT, "%,d %s", count.getValue(), count.getKey()))
                        .collect(Collectors.joining(", "));
    }

    private static boolean isTerminal() {
        return Boolean.getBoolean("weir.terminal");
    }
}
