package io.weir.benchmarks.state;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What to measure.
 *
 * @param parts of the benchmark.
 * @param keys numbers of keys, each measured on its own.
 * @param rounds that count, at least 1; one more warms up.
 * @param batch keys that are touched ahead, at least 2.
 * @param restoreBytes about how many bytes of pages are restored.
 * @param folder for files, on a real disk; there already, and what is put there is deleted.
 */
public record StateOptions(Set<Part> parts, List<Integer> keys, int rounds, int batch, long restoreBytes, Path folder) {
    /** The parts of the benchmark. */
    public enum Part {
        /** Random reads and updates of all contenders. */
        MAPS,
        /** How long a freeze holds the task. */
        FREEZE,
        /** What a snapshot writes, how fast, and what a write of the same bytes takes. */
        SNAPSHOT,
        /** Updates while a snapshot is written on another thread. */
        FLUSH,
        /** From the start of a restore to the first record, and to the last page. */
        RESTORE
    }
}
