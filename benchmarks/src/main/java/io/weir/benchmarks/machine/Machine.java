package io.weir.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells the processor's name. */
final class Machine {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    static String processor() throws IOException {
        if (Files.isReadable(CPU_INFO)) {
            for (final String line : Files.readAllLines(CPU_INFO)) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).trim();
                }
            }
        }
        return "processor unknown";
    }
}
