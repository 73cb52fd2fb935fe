package io.weir.benchmarks.commit;

import java.nio.file.Path;

/**
 * What to measure.
 *
 * @param seconds that records come due, at least 1.
 * @param intervalMs between checkpoints, at least 1.
 * @param perSecond records per second, at least 1.
 * @param restarts failures of a user's function, at random records.
 * @param seed that the records are drawn by.
 * @param folder for queue and checkpoints, on a real disk; there already, and what is put there is deleted.
 */
public record CommitOptions(int seconds, long intervalMs, long perSecond, int restarts, long seed, Path folder) {}
