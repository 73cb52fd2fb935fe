package io.weir.benchmarks.cli;

import io.weir.benchmarks.machine.Conditions;
import io.weir.benchmarks.transport.TransportThroughput;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench transport}. */
@Command(
        name = "transport",
        description = "Records per second from thread to thread by batch size: Weir's channel beside raw Aeron.",
        mixinStandardHelpOptions = true)
final class TransportCommand implements Callable<Integer> {
    private static final double MAX_SECONDS = 3600;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            defaultValue = "1",
            paramLabel = "S",
            description = "Seconds per measurement (default ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            paramLabel = "N",
            description = "Rounds that count; one more warms up (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        if (!(seconds >= 0.001 && seconds <= MAX_SECONDS)) {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds + " must be in [0.001, 3600]");
        }
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds=" + rounds + " must be >= 1");
        }
        final Conditions conditions = Conditions.print(System.out);
        TransportThroughput.run(System.out, seconds, rounds);
        conditions.printOthers();
        return 0;
    }
}
