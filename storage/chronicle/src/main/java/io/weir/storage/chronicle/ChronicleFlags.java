package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.util.List;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** Checks at the door what Chronicle Queue needs of the JVM; its own errors name members of the JDK. */
final class ChronicleFlags {
    private static final List<String> PACKAGES = List.of("sun.nio.ch", "java.lang.reflect");

    private ChronicleFlags() {}

    /**
     * Checks that the flags are there without which no queue can be opened.
     *
     * @throws LogException that tells the flags to add.
     */
    static void check() {
        final Module base = Object.class.getModule();
        final Module chronicle = SingleChronicleQueue.class.getModule();
        final List<String> missing = PACKAGES.stream()
                .filter(name -> !base.isOpen(name, chronicle))
                .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                .toList();
        if (!missing.isEmpty()) {
            throw new LogException("Chronicle Queue needs JVM flags that are missing; add to the command line: "
                    + String.join(" ", missing));
        }
    }
}
