package io.weir.storage.state;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A tree of timers over all key groups. Setting a timer that is set already allocates nothing. */
final class HeapTimerTable implements TimerTable {
    private static final Comparator<Timer> ORDER = HeapTimerTable::compare;

    private final String name;
    private String keyCodec = "";
    private final int firstKeyGroup;
    private final int endKeyGroup;
    private final TreeSet<Timer> timers = new TreeSet<>(ORDER);
    private final Timer probe = new Timer();
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private long nextTime = NONE;

    HeapTimerTable(final String name, final int firstKeyGroup, final int endKeyGroup) {
        this.name = name;
        this.firstKeyGroup = firstKeyGroup;
        this.endKeyGroup = endKeyGroup;
    }

    /** Compares the codec of the keys, empty if it is not known. */
    void keyCodec(final String text) {
        keyCodec = StateUpgrade.timerKeys(name, keyCodec, text);
    }

    private static int compare(final Timer a, final Timer b) {
        final int byTime = Long.compare(a.time, b.time);
        if (byTime != 0) {
            return byTime;
        }
        final int byKey = Arrays.compareUnsigned(a.key, 0, a.keyLength, b.key, 0, b.keyLength);
        return byKey != 0 ? byKey : Integer.compare(a.keyGroup, b.keyGroup);
    }

    private Timer probe(
            final int keyGroup, final long time, final DirectBuffer key, final int offset, final int length) {
        if (keyGroup < firstKeyGroup || keyGroup >= endKeyGroup) {
            throw HeapValueTable.foreign(name, keyGroup, firstKeyGroup, endKeyGroup);
        }
        probe.keyGroup = keyGroup;
        probe.time = time;
        if (probe.key.length < length) {
            probe.key = new byte[Math.max(length, 2 * probe.key.length)];
        }
        probe.keyLength = length;
        key.getBytes(offset, probe.key, 0, length);
        return probe;
    }

    @Override
    public boolean set(
            final int keyGroup, final long time, final DirectBuffer key, final int offset, final int length) {
        if (time == NONE) {
            throw new IllegalArgumentException("timer of " + name + ": time must be below Long.MAX_VALUE");
        }
        final Timer wanted = probe(keyGroup, time, key, offset, length);
        if (timers.contains(wanted)) {
            return false;
        }
        timers.add(wanted.copy());
        nextTime = Math.min(nextTime, time);
        return true;
    }

    @Override
    public boolean cancel(
            final int keyGroup, final long time, final DirectBuffer key, final int offset, final int length) {
        final boolean removed = timers.remove(probe(keyGroup, time, key, offset, length));
        if (removed) {
            findNextTime();
        }
        return removed;
    }

    private void findNextTime() {
        nextTime = timers.isEmpty() ? NONE : timers.first().time;
    }

    @Override
    public long nextTime() {
        return nextTime;
    }

    @Override
    public boolean pollDue(final long now, final Handler handler) {
        if (nextTime > now || nextTime == NONE) {
            return false;
        }
        final Timer due = timers.first();
        timers.remove(due);
        findNextTime();
        keyView.wrap(due.key, 0, due.keyLength);
        handler.onTimer(due.keyGroup, due.time, keyView);
        return true;
    }

    @Override
    public long size() {
        return timers.size();
    }

    /** A copy of all timers; their order in the segment is by key group, then as they fire. */
    FrozenEntries freeze() {
        final FrozenEntries frozen = new FrozenEntries(StateFormat.TIMER_PREFIX + name, keyCodec);
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        timers.stream().sorted(Comparator.comparingInt(timer -> timer.keyGroup)).forEach(timer -> {
            key.wrap(timer.key, 0, timer.keyLength);
            final int offset = frozen.claim(timer.keyGroup, StateFormat.timerEntryLength(timer.keyLength));
            StateFormat.putTimerEntry(frozen.buffer(), offset, timer.time, key);
        });
        return frozen;
    }

    private static final class Timer {
        private int keyGroup;
        private long time;
        private byte[] key = new byte[0];
        private int keyLength;

        private Timer copy() {
            final Timer copy = new Timer();
            copy.keyGroup = keyGroup;
            copy.time = time;
            copy.key = Arrays.copyOf(key, keyLength);
            copy.keyLength = keyLength;
            return copy;
        }
    }
}
