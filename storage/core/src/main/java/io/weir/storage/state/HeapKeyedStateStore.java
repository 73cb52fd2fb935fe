package io.weir.storage.state;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** The tables of one task, by name. */
final class HeapKeyedStateStore implements KeyedStateStore {
    private final int maxParallelism;
    private final int firstKeyGroup;
    private final int endKeyGroup;
    private final Map<String, HeapValueTable> values = new TreeMap<>();
    private final Map<String, HeapTimerTable> timers = new TreeMap<>();
    private final Set<String> claimedValues = new HashSet<>();
    private final Set<String> claimedTimers = new HashSet<>();
    private boolean used;
    private boolean closed;

    HeapKeyedStateStore(final StoreContext context) {
        maxParallelism = context.maxParallelism();
        firstKeyGroup = context.firstKeyGroup();
        endKeyGroup = context.endKeyGroup();
    }

    @Override
    public ValueTable valueTable(final StateDescriptor descriptor) {
        use();
        final HeapValueTable table = values.computeIfAbsent(descriptor.name(), name -> newTable(descriptor));
        checkCodecs(table.descriptor(), descriptor, "");
        table.expiry(descriptor.expiry());
        claimedValues.add(descriptor.name());
        return table;
    }

    private HeapValueTable newTable(final StateDescriptor descriptor) {
        return new HeapValueTable(descriptor, firstKeyGroup, endKeyGroup);
    }

    private static void checkCodecs(final StateDescriptor has, final StateDescriptor wanted, final String where) {
        if (!has.hasCodecsOf(wanted)) {
            throw new StateException("state " + has.name() + " has key codec " + has.keyCodec() + " and value codec "
                    + has.valueCodec() + ", but " + wanted.keyCodec() + " and " + wanted.valueCodec() + " are "
                    + (where.isEmpty() ? "asked for" : "found in " + where));
        }
    }

    @Override
    public TimerTable timerTable(final String name) {
        use();
        claimedTimers.add(name);
        return timers.computeIfAbsent(name, this::newTimers);
    }

    private HeapTimerTable newTimers(final String name) {
        return new HeapTimerTable(name, firstKeyGroup, endKeyGroup);
    }

    private void use() {
        checkOpen();
        used = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the state store is closed");
        }
    }

    @Override
    public FrozenState freeze() {
        return freeze(Long.MIN_VALUE);
    }

    @Override
    public FrozenState freeze(final long nowNs) {
        use();
        final List<FrozenEntries> frozen = new ArrayList<>(values.size() + timers.size());
        values.values().forEach(table -> frozen.add(table.freeze(nowNs)));
        timers.values().forEach(table -> frozen.add(table.freeze()));
        return new HeapFrozenState(frozen);
    }

    @Override
    public void restore(final SegmentReader segment) {
        checkUnused(segment.name());
        for (final SegmentReader.Section section : segment.sections()) {
            if (section.name().startsWith(StateFormat.VALUE_PREFIX)) {
                restoreValues(segment, section);
            } else if (section.name().startsWith(StateFormat.TIMER_PREFIX)) {
                restoreTimers(segment, section);
            }
        }
    }

    private void checkUnused(final String restored) {
        checkOpen();
        if (used) {
            throw new IllegalStateException("restore " + restored + " comes after the first use of the store");
        }
    }

    @Override
    public void restoreShared(final List<SegmentHandle> chain) {
        if (!chain.isEmpty()) {
            final String first = chain.get(0).file();
            checkUnused(first);
            throw new StateException("state backend " + HeapStateBackend.NAME + " can't read " + first + " and "
                    + (chain.size() - 1) + " more: another state backend wrote them; run the job with that one");
        }
    }

    @Override
    public int doWork() {
        return 0;
    }

    private void restoreValues(final SegmentReader segment, final SegmentReader.Section section) {
        final String name = section.name().substring(StateFormat.VALUE_PREFIX.length());
        final StateDescriptor descriptor = StateFormat.descriptor(name, section.attributes());
        if (descriptor == null) {
            throw damaged(segment, section, "codec signatures", "'" + section.attributes() + "'");
        }
        final HeapValueTable table = values.computeIfAbsent(name, absent -> newTable(descriptor));
        checkCodecs(table.descriptor(), descriptor, segment.name());
        segment.forEach(section.name(), (keyGroup, buffer, offset, length) -> {
            final int keyLength = StateFormat.keyLength(buffer, offset, length);
            if (keyLength < 0) {
                throw damaged(segment, section, "a key within its entry", "an entry of " + length + " bytes");
            }
            if (isOwned(segment, section, keyGroup)) {
                restoreValue(segment, section, table, keyGroup, buffer, offset, length, keyLength);
            }
        });
    }

    private static void restoreValue(
            final SegmentReader segment,
            final SegmentReader.Section section,
            final HeapValueTable table,
            final int keyGroup,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        final int key = StateFormat.keyOffset(offset);
        final int value = key + keyLength;
        if (!table.restore(keyGroup, buffer, key, keyLength, buffer, value, offset + length - value)) {
            throw damaged(segment, section, "each key once", "one a second time in key group " + keyGroup);
        }
    }

    private void restoreTimers(final SegmentReader segment, final SegmentReader.Section section) {
        final String name = section.name().substring(StateFormat.TIMER_PREFIX.length());
        final HeapTimerTable table = timers.computeIfAbsent(name, this::newTimers);
        segment.forEach(section.name(), (keyGroup, buffer, offset, length) -> {
            final int keyLength = length - StateFormat.timerEntryLength(0);
            if (keyLength < 0 || StateFormat.time(buffer, offset) == TimerTable.NONE) {
                throw damaged(segment, section, "a timer", "an entry of " + length + " bytes that is none");
            }
            if (isOwned(segment, section, keyGroup)
                    && !table.set(
                            keyGroup,
                            StateFormat.time(buffer, offset),
                            buffer,
                            StateFormat.timerKeyOffset(offset),
                            keyLength)) {
                throw damaged(segment, section, "each timer once", "one a second time in key group " + keyGroup);
            }
        });
    }

    private boolean isOwned(final SegmentReader segment, final SegmentReader.Section section, final int keyGroup) {
        if (keyGroup < 0 || keyGroup >= maxParallelism) {
            throw damaged(segment, section, "a key group in [0, " + maxParallelism + ")", "" + keyGroup);
        }
        return keyGroup >= firstKeyGroup && keyGroup < endKeyGroup;
    }

    private static CorruptionException damaged(
            final SegmentReader segment,
            final SegmentReader.Section section,
            final String expected,
            final String found) {
        return new CorruptionException(
                segment.name() + " in section " + section.name() + ": expected " + expected + ", found " + found);
    }

    @Override
    public List<String> unclaimed() {
        checkOpen();
        final List<String> names = new ArrayList<>();
        values.forEach((name, table) -> {
            if (!claimedValues.contains(name) && table.size() > 0) {
                names.add(name);
            }
        });
        timers.forEach((name, table) -> {
            if (!claimedTimers.contains(name) && table.size() > 0) {
                names.add(name);
            }
        });
        return names;
    }

    @Override
    public long entryCount() {
        checkOpen();
        return values.values().stream().mapToLong(ValueTable::size).sum()
                + timers.values().stream().mapToLong(TimerTable::size).sum();
    }

    @Override
    public void close() {
        closed = true;
        values.clear();
        timers.clear();
    }
}
