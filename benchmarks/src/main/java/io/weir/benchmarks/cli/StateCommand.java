package io.weir.benchmarks.cli;

import io.weir.benchmarks.machine.Conditions;
import io.weir.benchmarks.state.StateBenchmark;
import io.weir.benchmarks.state.StateOptions;
import io.weir.benchmarks.state.StateOptions.Part;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench state}. */
@Command(
        name = "state",
        description = "Keyed state in pages, by number of keys: beside the heap backend, a primitive map and RocksDB.",
        mixinStandardHelpOptions = true)
final class StateCommand implements Callable<Integer> {
    private static final int MAX_KEYS = 100_000_000;
    private static final int MAX_RESTORE_MIB = 16 * 1024;
    private static final int MAX_BATCH = 1024;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--parts",
            split = ",",
            defaultValue = "maps,freeze,snapshot,flush,restore",
            paramLabel = "PART",
            description = "What to measure, of ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private List<Part> parts;

    @Option(
            names = "--keys",
            split = ",",
            defaultValue = "1000000,10000000",
            paramLabel = "N",
            description = "Numbers of keys (default ${DEFAULT-VALUE}).")
    private List<Integer> keys;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            paramLabel = "N",
            description = "Rounds that count; one more warms up (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--batch",
            defaultValue = "32",
            paramLabel = "N",
            description = "Keys that are touched ahead (default ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--restore-mib",
            defaultValue = "1024",
            paramLabel = "N",
            description = "About how much state to restore (default ${DEFAULT-VALUE}).")
    private int restoreMib;

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws Exception {
        for (final int count : keys) {
            Range.check(spec, "--keys", count, 1, MAX_KEYS);
        }
        Range.check(spec, "--rounds", rounds, 1, Integer.MAX_VALUE);
        Range.check(spec, "--batch", batch, 2, MAX_BATCH);
        Range.check(spec, "--restore-mib", restoreMib, 1, MAX_RESTORE_MIB);
        final Path files = folder.folder();
        final Conditions conditions = Conditions.print(System.out);
        StateBenchmark.run(
                System.out,
                new StateOptions(EnumSet.copyOf(parts), keys, rounds, batch, (long) restoreMib << 20, files));
        conditions.printOthers();
        return 0;
    }
}
