package io.weir.engine.cli.demo;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.job.OhlcWindow;
import io.weir.storage.chronicle.ChronicleQueueLog;
import io.weir.storage.log.LogException;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** Sees windows the moment they become visible in the output queue. */
final class WindowTail implements AutoCloseable {
    private static final int BATCH = 256;

    private final Path queue;
    private final Codec<OhlcWindow> codec = OhlcWindow.codec();
    private final List<Sighting> sightings = new ArrayList<>();
    private LogReader reader;

    WindowTail(final Path queue) {
        this.queue = queue;
    }

    /**
     * A window that became visible.
     *
     * @param windowEndNs of the window.
     * @param seenNs after the start of the feed.
     */
    record Sighting(long windowEndNs, long seenNs) {}

    /** Takes up what is new; gives how many windows. */
    int poll(final long sinceStartNs) {
        if (reader == null && !tryOpen()) {
            return 0;
        }
        return reader.poll(
                (position, next, buffer, offset, length) -> sightings.add(
                        new Sighting(codec.decode(buffer, offset, length).endNs(), sinceStartNs)),
                BATCH);
    }

    /** Takes up all that is new. */
    void drain(final long sinceStartNs) {
        int count;
        do {
            count = poll(sinceStartNs);
        } while (count > 0);
    }

    List<Sighting> sightings() {
        return sightings;
    }

    @Override
    public void close() {
        CloseHelper.close(reader);
    }

    /** The queue comes with the job's first run; until its files are whole it can't be opened. */
    private boolean tryOpen() {
        if (!Files.isDirectory(queue)) {
            return false;
        }
        try {
            reader = ChronicleQueueLog.at(queue).open(0, ReplayableLog.START);
            return true;
        } catch (final LogException notYet) {
            return false;
        }
    }
}
