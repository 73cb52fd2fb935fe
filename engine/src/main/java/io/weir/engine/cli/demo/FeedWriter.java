package io.weir.engine.cli.demo;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.job.Tick;
import io.weir.storage.chronicle.ChronicleAppender;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;

/** Appends a feed to a queue when its records are due. */
final class FeedWriter implements AutoCloseable {
    private static final int BATCH = 256;

    private final Feed feed;
    private final Codec<Tick> codec = Tick.codec();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final ChronicleAppender appender;
    private int next;
    private boolean hasEnded;

    FeedWriter(final Feed feed, final Path queue) {
        this.feed = feed;
        appender = ChronicleAppender.open(queue);
    }

    /**
     * Appends what is due, a batch at most; gives the number of records appended.
     *
     * @param sinceStartNs now.
     * @param keptBack that many records at the end of the feed are not due yet, however late it is.
     */
    int append(final long sinceStartNs, final int keptBack) {
        int count = 0;
        while (count < BATCH && next < feed.size() - keptBack && feed.dueNs(next) <= sinceStartNs) {
            final int length = codec.encode(feed.tick(next), buffer, 0);
            appender.append(buffer, 0, length);
            next++;
            count++;
        }
        return count;
    }

    /** Ends the feed once all of it was appended; gives whether it has ended. */
    boolean tryEnd() {
        if (!hasEnded && next == feed.size()) {
            appender.append(FeedLog.end(), 0, FeedLog.end().capacity());
            hasEnded = true;
        }
        return hasEnded;
    }

    int appended() {
        return next;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    @Override
    public void close() {
        appender.close();
    }
}
