package io.weir.storage.chronicle;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue in whose commits the process is halted. In Chronicle's room, because the probe is its own. */
public final class HaltingQueue {
    private HaltingQueue() {}

    /**
     * A queue.
     *
     * @param path of its folder.
     * @param step of a commit at which to halt.
     * @param time which time it is reached, from 1.
     * @param status exit status.
     */
    public static ChronicleQueueLog at(final Path path, final String step, final int time, final int status) {
        final CommitProbe.Step wanted = CommitProbe.Step.valueOf(step);
        final AtomicInteger left = new AtomicInteger(time);
        return ChronicleQueueLog.at(path).observedBy(System::currentTimeMillis, reached -> {
            if (reached == wanted && left.decrementAndGet() == 0) {
                Runtime.getRuntime().halt(status);
            }
        });
    }
}
