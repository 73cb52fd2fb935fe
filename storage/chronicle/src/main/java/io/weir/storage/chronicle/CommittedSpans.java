package io.weir.storage.chronicle;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Gathers what a commit adds to the spans of the queue: the last one goes on while records follow it directly. A span ends with
 * its file, before a record of somebody else, and with the commit that makes it long, so that damage is found near its place.
 */
final class CommittedSpans {
    private static final long LONG_SPAN = 1 << 16;

    private final RecordChecksum sum = new RecordChecksum();
    private final List<CommittedSpan> changed = new ArrayList<>();
    private long firstIndex;
    private long lastIndex;
    private int checksum;
    private boolean isOpen;
    private boolean isChanged;

    /** Begins with the last span before the commit, null for none. */
    void begin(final CommittedSpan last) {
        changed.clear();
        isChanged = false;
        isOpen = last != null && last.lastIndex() - last.firstIndex() < LONG_SPAN;
        if (isOpen) {
            firstIndex = last.firstIndex();
            lastIndex = last.lastIndex();
            checksum = last.checksum();
        }
    }

    /** Takes a record that the commit has put into the queue. */
    void add(final long index, final UnsafeBuffer record) {
        if (!isOpen || index != lastIndex + 1) {
            closeSpan();
            firstIndex = index;
            checksum = RecordChecksum.NO_RECORDS;
            isOpen = true;
        }
        lastIndex = index;
        checksum = sum.with(checksum, record);
        isChanged = true;
    }

    /** The spans that are new or longer now, in order. */
    List<CommittedSpan> end() {
        closeSpan();
        isOpen = false;
        return List.copyOf(changed);
    }

    private void closeSpan() {
        if (isChanged) {
            changed.add(new CommittedSpan(firstIndex, lastIndex, checksum));
            isChanged = false;
        }
    }
}
