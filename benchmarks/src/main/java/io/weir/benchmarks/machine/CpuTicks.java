package io.weir.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Processor time used up to a moment, in the kernel's ticks.
 *
 * @param busy by everybody, over all cores; what a hypervisor took away counts.
 * @param total busy or not, over all cores.
 * @param own by this process and by those of its children that have ended.
 * @param cores that the kernel counts.
 */
record CpuTicks(long busy, long total, long own, int cores) {
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int FIELDS = 8;
    private static final int OWN_BEGIN = 11;
    private static final int OWN_END = 15;

    /** Reads {@code /proc}. */
    static CpuTicks now() throws IOException {
        return of(Files.readString(Path.of("/proc/stat")), Files.readString(Path.of("/proc/self/stat")));
    }

    /** Of the texts of {@code /proc/stat} and {@code /proc/self/stat}: see proc(5). */
    static CpuTicks of(final String stat, final String self) {
        final String first = stat.lines().findFirst().orElse("");
        // The fields behind these are counted in them already.
        final long[] all = numbers(first.substring(first.indexOf(' ') + 1), 0, FIELDS);
        final long total = Arrays.stream(all).sum();
        // The name of the process stands in parentheses and may hold anything.
        final long[] own = numbers(self.substring(self.lastIndexOf(')') + 1), OWN_BEGIN, OWN_END);
        return new CpuTicks(
                total - all[IDLE] - all[IO_WAIT], total, Arrays.stream(own).sum(), (int)
                        stat.lines().filter(line -> line.matches("cpu\\d+ .*")).count());
    }

    /** How many cores others kept busy since then, on average; not a number if no time has passed. */
    double othersSince(final CpuTicks before) {
        final long others = Math.max(0, busy - before.busy - (own - before.own));
        return (double) others / (total - before.total) * cores;
    }

    private static long[] numbers(final String line, final int begin, final int end) {
        return Arrays.stream(line.strip().split(" +"), begin, end)
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
