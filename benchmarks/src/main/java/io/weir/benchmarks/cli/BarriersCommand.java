package io.weir.benchmarks.cli;

import io.weir.benchmarks.engine.BarrierBenchmark;
import io.weir.benchmarks.engine.BarrierBenchmarkOptions;
import io.weir.benchmarks.machine.Conditions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench barriers}. */
@Command(
        name = "barriers",
        description =
                "Checkpoints of a job whose last operator is slow and whose buffers are full, by kind of barriers.",
        mixinStandardHelpOptions = true)
final class BarriersCommand implements Callable<Integer> {
    private static final int MAX_WORK_US = 100_000;
    private static final int MIN_IN_FLIGHT_KIB = 64;
    private static final int MAX_IN_FLIGHT_KIB = 64 * 1024;
    private static final int MIN_RECORD_LENGTH = 24;
    private static final int MAX_RECORD_LENGTH = 8 * 1024;
    private static final double MAX_SECONDS = 3600;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--work-us",
            split = ",",
            defaultValue = "20,1000",
            paramLabel = "N",
            description = "Microseconds that the slow operator takes per record (default ${DEFAULT-VALUE}).")
    private List<Integer> workUs;

    @Option(
            names = "--in-flight-kib",
            split = ",",
            defaultValue = "64,1024",
            paramLabel = "N",
            description = "What the channel before it holds, powers of two (default ${DEFAULT-VALUE}).")
    private List<Integer> inFlightKib;

    @Option(
            names = "--record-length",
            defaultValue = "480",
            paramLabel = "N",
            description = "Bytes of a record (default ${DEFAULT-VALUE}).")
    private int recordLength;

    @Option(
            names = "--seconds",
            defaultValue = "1",
            paramLabel = "S",
            description = "Seconds per kind and round; one checkpoint at least (default ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            paramLabel = "N",
            description = "Rounds that count; one more warms up (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws Exception {
        for (final int us : workUs) {
            Range.check(spec, "--work-us", us, 1, MAX_WORK_US);
        }
        for (final int kib : inFlightKib) {
            Range.check(spec, "--in-flight-kib", kib, MIN_IN_FLIGHT_KIB, MAX_IN_FLIGHT_KIB);
            if (Integer.bitCount(kib) != 1) {
                throw new ParameterException(spec.commandLine(), "--in-flight-kib=" + kib + " must be a power of two");
            }
        }
        Range.check(spec, "--record-length", recordLength, MIN_RECORD_LENGTH, MAX_RECORD_LENGTH);
        Range.check(spec, "--rounds", rounds, 1, Integer.MAX_VALUE);
        if (!(seconds >= 0.001 && seconds <= MAX_SECONDS)) {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds + " must be in [0.001, 3600]");
        }
        final Path files = folder.folder();
        final Conditions conditions = Conditions.print(System.out);
        BarrierBenchmark.run(
                System.out,
                new BarrierBenchmarkOptions(
                        workUs,
                        inFlightKib,
                        recordLength,
                        (long) (seconds * TimeUnit.SECONDS.toNanos(1)),
                        rounds,
                        files));
        conditions.printOthers();
        return 0;
    }
}
