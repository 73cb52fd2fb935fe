package io.weir.benchmarks.engine;

import java.nio.file.Path;
import java.util.List;

/**
 * What to measure.
 *
 * @param workUs microseconds that the slow operator takes per record, each measured on its own.
 * @param inFlightKib what the channel before it holds, powers of two, at least 64; each measured on its own.
 * @param recordLength bytes of a record, at least 24.
 * @param roundNs how long checkpoints of one kind are taken in one round; one is taken at least.
 * @param rounds that count, at least 1; one more warms up.
 * @param folder for checkpoints, on a real disk; there already, and what is put there is deleted.
 */
public record BarrierBenchmarkOptions(
        List<Integer> workUs, List<Integer> inFlightKib, int recordLength, long roundNs, int rounds, Path folder) {}
