package io.weir.engine.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** When the job was dead: from each kill to the first record of the next life. Times are after the start of the feed. */
final class Outages {
    /** What came up during an outage is worked off for a while after it. */
    static final long CATCH_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<Outage> ended = new ArrayList<>();
    private long killedNs = -1;

    /**
     * One outage.
     *
     * @param killedNs when the process was killed.
     * @param firstRecordNs when the next one read its first record.
     */
    record Outage(long killedNs, long firstRecordNs) {
        long lengthNs() {
            return firstRecordNs - killedNs;
        }
    }

    void killed(final long atNs) {
        killedNs = atNs;
    }

    void firstRecord(final long atNs) {
        if (killedNs >= 0) {
            ended.add(new Outage(killedNs, atNs));
            killedNs = -1;
        }
    }

    boolean isOpen() {
        return killedNs >= 0;
    }

    List<Outage> ended() {
        return ended;
    }

    /** Whether something that lasted from one time to another met an outage or the work left over from it. */
    boolean touch(final long fromNs, final long toNs) {
        return ended.stream()
                .anyMatch(outage -> fromNs <= outage.firstRecordNs() + CATCH_UP_NS && toNs >= outage.killedNs());
    }
}
