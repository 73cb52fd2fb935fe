package io.weir.benchmarks.commit;

import java.nio.file.Path;

/**
 * What to measure.
 *
 * @param kills of the process, and as many exceptions inside one, at least 1.
 * @param intervalMs between checkpoints, at least 1.
 * @param perSecond records per second, at least 1.
 * @param seed that the moments are drawn by.
 * @param folder for queue and checkpoints, on a real disk; there already, and what is put there is deleted.
 */
public record RecoveryOptions(int kills, long intervalMs, long perSecond, long seed, Path folder) {}
