package io.weir.storage.page;

import io.weir.storage.frame.SlabSource;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.state.CanonicalRestore;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyedStateStore;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateException;
import io.weir.storage.state.StateFormat;
import io.weir.storage.state.StateUpgrade;
import io.weir.storage.state.StoreContext;
import io.weir.storage.state.TimerTable;
import io.weir.storage.state.ValueTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The tables of one task in pages, by name. Task thread. */
final class PageStateStore implements KeyedStateStore {
    private final StoreContext context;
    private final PagesSettings settings;
    private final PageStore pages;
    private final SegmentChain chain;
    private final Map<String, StateDescriptor> descriptors = new HashMap<>();
    private final Map<String, StateDescriptor.Expiry> expiries = new HashMap<>();
    private final Map<String, PageTable> values = new TreeMap<>();
    private final Map<String, PageTimerTable> timers = new TreeMap<>();
    private final Set<String> claimedValues = new HashSet<>();
    private final Set<String> claimedTimers = new HashSet<>();
    private final Map<String, String> timerKeys = new HashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private RestoredChains restored;
    private Warmup warmup;
    private String halfMigrated;
    private boolean used;
    private boolean closed;

    PageStateStore(final StoreContext context, final PagesSettings settings, final SlabSource memory) {
        this.context = context;
        this.settings = settings;
        pages = new PageStore(memory, context.firstKeyGroup());
        chain = new SegmentChain(context.shared(), context.firstKeyGroup(), context.endKeyGroup(), settings);
    }

    @Override
    public ValueTable valueTable(final StateDescriptor descriptor) {
        use();
        final StateDescriptor kept = descriptors.get(descriptor.name());
        if (kept != null && !claimedValues.contains(descriptor.name()) && StateUpgrade.isNeeded(kept, descriptor)) {
            upgrade(kept, descriptor);
        }
        final PageTable table = values(descriptor, null);
        claimedValues.add(descriptor.name());
        if (descriptor.expiry() == null) {
            expiries.remove(descriptor.name());
        } else {
            expiries.put(descriptor.name(), descriptor.expiry());
        }
        return table;
    }

    /** Rewrites the values where they are: a pass over the table brings all of it into memory, and makes all of it dirty. */
    private void upgrade(final StateDescriptor kept, final StateDescriptor descriptor) {
        final PageTable table = values.get(descriptor.name());
        halfMigrated = descriptor.name();
        StateUpgrade.migrate(table, kept, descriptor);
        halfMigrated = null;
        descriptors.put(descriptor.name(), descriptor);
        table.pages().attributes(StateFormat.attributes(descriptor));
    }

    /** The table of a state, new or with the same codecs. */
    private PageTable values(final StateDescriptor descriptor, final String segment) {
        StateFormat.checkCodecs(descriptors.getOrDefault(descriptor.name(), descriptor), descriptor, segment);
        descriptors.putIfAbsent(descriptor.name(), descriptor);
        return values.computeIfAbsent(
                descriptor.name(), name -> new PageTable(tablePages(TableName.of(descriptor)), settings.maxDepth()));
    }

    @Override
    public TimerTable timerTable(final String name, final String keyCodec) {
        use();
        claimedTimers.add(name);
        return timers(name, keyCodec);
    }

    private PageTimerTable timers(final String timersName, final String keyCodec) {
        final String keys = StateUpgrade.timerKeys(timersName, timerKeys.getOrDefault(timersName, ""), keyCodec);
        timerKeys.put(timersName, keys);
        final PageTimerTable table = timers.computeIfAbsent(
                timersName, name -> new PageTimerTable(tablePages(TableName.ofTimers(name, keys))));
        table.pages().attributes(keys);
        return table;
    }

    private TablePages tablePages(final TableName name) {
        return new TablePages(
                pages,
                name,
                context.firstKeyGroup(),
                context.endKeyGroup(),
                dropped.contains(name.section()) ? null : restored);
    }

    /** Ends the restoring: the tables of the restored checkpoint are there, though none of their pages. */
    private void use() {
        checkOpen();
        if (used) {
            return;
        }
        used = true;
        if (chain.isRestored()) {
            restored = chain.openRestored();
            restored.tables().forEach(this::restoreTable);
            final List<Warmup.RestoredTable> tables = new ArrayList<>(timers.values());
            tables.addAll(values.values());
            warmup = new Warmup(restored, tables, "weir-state-warmup");
            if (settings.readsAhead()) {
                warmup.start();
            } else {
                warmup.startInline();
            }
        }
    }

    private void restoreTable(final TableName table) {
        if (table.isTimers()) {
            timers(table.name(), table.attributes());
        } else if (table.isValues()) {
            final StateDescriptor descriptor = table.descriptor();
            if (descriptor == null) {
                throw new CorruptionException("the restored checkpoint, table " + table.section()
                        + ": expected codecs, found '" + table.attributes() + "'");
            }
            values(descriptor, "the restored checkpoint");
        }
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
        use();
        return new FrozenPageState(context, chain, pages.freeze(), CutTime.NONE);
    }

    @Override
    public FrozenState freeze(final long nowNs) {
        use();
        return new FrozenPageState(context, chain, pages.freeze(), new CutTime(nowNs, Map.copyOf(expiries)));
    }

    @Override
    public void restore(final SegmentReader segment, final Predicate<String> tables) {
        checkUnused(segment.name());
        new CanonicalRestore(context, descriptor -> values(descriptor, segment.name()), this::timers)
                .restore(segment, tables);
    }

    @Override
    public void restoreShared(
            final List<SegmentHandle> segments,
            final int firstKeyGroup,
            final int endKeyGroup,
            final Predicate<String> tables) {
        if (segments.isEmpty()) {
            return;
        }
        checkUnused(segments.get(0).file());
        if (!values.isEmpty() || !timers.isEmpty()) {
            throw new StateException("a checkpoint's state is canonical or in pages, not both: "
                    + segments.get(0).file());
        }
        chain.restore(segments, firstKeyGroup, endKeyGroup, tables);
    }

    private void checkUnused(final String restoredFrom) {
        checkOpen();
        if (used) {
            throw new IllegalStateException("restore " + restoredFrom + " comes after the first use of the store");
        }
    }

    @Override
    public int doWork() {
        return pages.doWork() + (warmup == null ? 0 : warmUp());
    }

    private int warmUp() {
        final int work = warmup.doWork();
        if (warmup.isDone()) {
            warmup = null;
            values.values().forEach(table -> table.pages().forgetRestored());
            timers.values().forEach(table -> table.pages().forgetRestored());
            restored.close();
            restored = null;
        }
        return work;
    }

    /** Whether all of a restored checkpoint is in memory and its files are closed. */
    boolean isWarm() {
        return restored == null;
    }

    @Override
    public List<String> unclaimed() {
        use();
        final List<String> names = new ArrayList<>();
        values.forEach((name, table) -> {
            if (!claimedValues.contains(name) && !table.isEmpty()) {
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
        use();
        for (final String name : List.copyOf(values.keySet())) {
            if (!claimedValues.contains(name)) {
                drop(values.remove(name).pages());
                descriptors.remove(name);
            }
        }
        for (final String name : List.copyOf(timers.keySet())) {
            if (!claimedTimers.contains(name)) {
                drop(timers.remove(name).pages());
                timerKeys.remove(name);
            }
        }
    }

    private void drop(final TablePages table) {
        dropped.add(table.section());
        chain.drop(table.section());
        table.drop();
    }

    @Override
    public long entryCount() {
        use();
        return values.values().stream().mapToLong(ValueTable::size).sum()
                + timers.values().stream().mapToLong(TimerTable::size).sum();
    }

    PageStore pages() {
        return pages;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        pages.close();
        if (warmup != null) {
            warmup.stop();
        }
        if (restored != null) {
            restored.close();
        }
    }
}
