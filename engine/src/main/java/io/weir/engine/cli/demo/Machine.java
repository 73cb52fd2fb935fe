package io.weir.engine.cli.demo;

import io.weir.engine.cli.text.Counts;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Locale;

/**
 * What figures depend on.
 *
 * @param cores that this process may use.
 * @param system name, version and architecture of the operating system.
 * @param java version and vendor.
 */
record Machine(int cores, String system, String java) {
    static Machine here() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name")
                        + ' '
                        + System.getProperty("os.version")
                        + ' '
                        + System.getProperty("os.arch"),
                Runtime.version() + " (" + System.getProperty("java.vendor") + ')');
    }

    /** The processes that ran or wanted to, over the last minute; negative where the system does not tell. */
    static double loadAverage() {
        final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system.getSystemLoadAverage();
    }

    /** One line, with the load average before and after. */
    String describe(final double loadBefore, final double loadAfter) {
        return Counts.print(cores, "core") + ", load average " + load(loadBefore) + " before and " + load(loadAfter)
                + " after, " + system;
    }

    private static String load(final double average) {
        return average < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", average);
    }
}
