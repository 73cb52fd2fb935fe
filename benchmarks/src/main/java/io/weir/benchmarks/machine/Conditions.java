package io.weir.benchmarks.machine;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints what figures are made on before they are made, and afterwards how much of the machine others used meanwhile. One
 * thread.
 */
public final class Conditions {
    /** Above this share of the cores, others disturb. */
    private static final double MAX_OTHERS = 0.1;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream out;
    private final CpuTicks begin;

    private Conditions(final PrintStream out, final CpuTicks begin) {
        this.out = out;
        this.begin = begin;
    }

    /**
     * Prints machine, load, JDK and flags, and what others use; looks at that for a second.
     *
     * @param out to print to.
     * @return the conditions from now on.
     * @throws IOException if {@code /proc} can't be read.
     */
    public static Conditions print(final PrintStream out) throws IOException {
        final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        final int cores = Runtime.getRuntime().availableProcessors();
        out.printf("time      %s%n", Instant.now().truncatedTo(ChronoUnit.SECONDS));
        out.printf(
                "machine   %s %s %s, %s, %d cores, load average %.2f%n",
                system.getName(),
                system.getVersion(),
                system.getArch(),
                Machine.processor(),
                cores,
                system.getSystemLoadAverage());
        out.printf(
                "java      %s %s, heap up to %d MB%n",
                System.getProperty("java.vm.name"),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20);
        out.printf(
                "flags     %s%n",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        final CpuTicks before = CpuTicks.now();
        final long deadlineNs = System.nanoTime() + LOOK_NS;
        for (long leftNs = LOOK_NS; leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
        final CpuTicks begin = CpuTicks.now();
        out.printf("others    before the start: %s%n%n", describe(begin.othersSince(before), begin.cores()));
        return new Conditions(out, begin);
    }

    /**
     * Prints how much of the machine others used since the conditions were printed. Children must have ended.
     *
     * @throws IOException if {@code /proc} can't be read.
     */
    public void printOthers() throws IOException {
        final CpuTicks end = CpuTicks.now();
        out.printf("%nothers    meanwhile: %s%n", describe(end.othersSince(begin), end.cores()));
    }

    /** Says how busy others are, and whether that is too much. */
    static String describe(final double others, final int cores) {
        if (Double.isNaN(others)) {
            return "unknown, for the kernel does not count ticks here";
        }
        return String.format("%.2f of %d cores busy with other work", others, cores)
                + (others > MAX_OTHERS * cores ? ": TOO BUSY to measure, don't trust these figures" : "");
    }
}
