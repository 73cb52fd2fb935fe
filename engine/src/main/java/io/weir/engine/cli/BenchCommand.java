package io.weir.engine.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir bench}: shows in the help. The launcher starts the benchmarks itself, from a module of their own. */
@Command(name = "bench", description = "Makes figures; in a repository, `./weir bench --help` tells which.")
final class BenchCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new UserException(
                "the benchmarks are not on this class path: start them with ./weir bench in a repository,"
                        + " bench being the first word");
    }
}
