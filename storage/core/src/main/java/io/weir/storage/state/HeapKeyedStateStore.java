package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The tables of one task, by name. */
final class HeapKeyedStateStore implements KeyedStateStore {
    private final StoreContext context;
    private final Map<String, HeapValueTable> values = new TreeMap<>();
    private final Map<String, HeapTimerTable> timers = new TreeMap<>();
    private final Set<String> claimedValues = new HashSet<>();
    private final Set<String> claimedTimers = new HashSet<>();
    private String halfMigrated;
    private boolean used;
    private boolean closed;

    HeapKeyedStateStore(final StoreContext context) {
        this.context = context;
    }

    @Override
    public ValueTable valueTable(final StateDescriptor descriptor) {
        use();
        final HeapValueTable table = values.get(descriptor.name());
        if (table != null && !claimedValues.contains(descriptor.name())) {
            upgrade(table, descriptor);
        }
        final HeapValueTable claimed = values(descriptor, null);
        claimed.descriptor(descriptor);
        claimedValues.add(descriptor.name());
        return claimed;
    }

    private void upgrade(final HeapValueTable table, final StateDescriptor descriptor) {
        if (StateUpgrade.isNeeded(table.descriptor(), descriptor)) {
            halfMigrated = descriptor.name();
            StateUpgrade.migrate(table, table.descriptor(), descriptor);
            halfMigrated = null;
            table.descriptor(descriptor);
        }
    }

    /** The table of a state, new or with the same codecs; the segment is where it is found, null if it is asked for. */
    private HeapValueTable values(final StateDescriptor descriptor, final String segment) {
        final HeapValueTable table = values.computeIfAbsent(
                descriptor.name(),
                name -> new HeapValueTable(descriptor, context.firstKeyGroup(), context.endKeyGroup()));
        StateFormat.checkCodecs(table.descriptor(), descriptor, segment);
        return table;
    }

    @Override
    public TimerTable timerTable(final String name, final String keyCodec) {
        use();
        claimedTimers.add(name);
        return timers(name, keyCodec);
    }

    private HeapTimerTable timers(final String timersName, final String keyCodec) {
        final HeapTimerTable table = timers.computeIfAbsent(
                timersName, name -> new HeapTimerTable(name, context.firstKeyGroup(), context.endKeyGroup()));
        table.keyCodec(keyCodec);
        return table;
    }

    private void use() {
        checkOpen();
        used = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the state store is closed");
        }
        if (halfMigrated != null) {
            throw StateUpgrade.halfMigrated(halfMigrated);
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
    public void restore(final SegmentReader segment, final Predicate<String> tables) {
        checkUnused(segment.name());
        new CanonicalRestore(context, descriptor -> values(descriptor, segment.name()), this::timers)
                .restore(segment, tables);
    }

    private void checkUnused(final String restored) {
        checkOpen();
        if (used) {
            throw new IllegalStateException("restore " + restored + " comes after the first use of the store");
        }
    }

    @Override
    public void restoreShared(
            final List<SegmentHandle> chain,
            final int firstKeyGroup,
            final int endKeyGroup,
            final Predicate<String> tables) {
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
    public void dropUnclaimed() {
        checkOpen();
        values.keySet().retainAll(claimedValues);
        timers.keySet().retainAll(claimedTimers);
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
