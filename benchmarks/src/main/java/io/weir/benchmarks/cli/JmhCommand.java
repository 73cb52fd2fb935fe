package io.weir.benchmarks.cli;

import io.weir.benchmarks.machine.Conditions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir bench jmh}: hands its words to JMH. The forks inherit the flags of this JVM. */
@Command(
        name = "jmh",
        description = {
            "Runs JMH benchmarks: all, or those whose name matches a pattern.",
            "JMH's own options work: -l lists the benchmarks, -prof gc counts bytes per operation, -h tells the rest."
        })
final class JmhCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PATTERN|OPTION", description = "Regular expressions, and options of JMH.")
    private final List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws IOException, RunnerException {
        try {
            final CommandLineOptions options = new CommandLineOptions(words.toArray(String[]::new));
            final Runner runner = new Runner(options);
            if (options.shouldHelp()) {
                options.showHelp();
            } else if (options.shouldList()) {
                runner.list();
            } else if (options.shouldListWithParams()) {
                runner.listWithParams(options);
            } else if (options.shouldListProfilers()) {
                options.listProfilers();
            } else if (options.shouldListResultFormats()) {
                options.listResultFormats();
            } else {
                final Conditions conditions = Conditions.print(System.out);
                runner.run();
                conditions.printOthers();
            }
            return 0;
        } catch (final CommandLineOptionException e) {
            throw new ParameterException(spec.commandLine(), "JMH: " + e.getMessage(), e);
        } catch (final NoBenchmarksException e) {
            throw new ParameterException(
                    spec.commandLine(), "no benchmark matches " + String.join(" ", words) + "; -l lists them", e);
        }
    }
}
