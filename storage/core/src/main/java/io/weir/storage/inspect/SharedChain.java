package io.weir.storage.inspect;

import static io.weir.storage.state.StateFormat.TIMER_PREFIX;
import static io.weir.storage.state.StateFormat.VALUE_PREFIX;

import io.weir.storage.page.PageEntries;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateFormat;
import java.util.List;
import org.agrona.DirectBuffer;

/** The keyed state in pages that a task's chain of shared segments holds, of the key groups that the task owned. */
final class SharedChain implements AutoCloseable {
    private static final long PAGE_LENGTH = 4096;

    private final PageChain chain;
    private final PageEntries entries;
    private final int firstKeyGroup;
    private final int endKeyGroup;
    private final Damages damages;

    SharedChain(final PageChain chain, final int firstKeyGroup, final int endKeyGroup, final Damages damages) {
        this.chain = chain;
        this.entries = new PageEntries(chain, firstKeyGroup, endKeyGroup);
        this.firstKeyGroup = firstKeyGroup;
        this.endKeyGroup = endKeyGroup;
        this.damages = damages;
    }

    void addTo(final List<InspectedTable> tables) {
        for (final String section : chain.tables()) {
            if (section.startsWith(VALUE_PREFIX) || section.startsWith(TIMER_PREFIX)) {
                tables.add(table(section));
            }
        }
    }

    private InspectedTable table(final String section) {
        final boolean isTimers = section.startsWith(TIMER_PREFIX);
        final String name = section.substring((isTimers ? TIMER_PREFIX : VALUE_PREFIX).length());
        final StateDescriptor descriptor = isTimers ? null : StateFormat.descriptor(name, chain.attributes(section));
        if (!isTimers && descriptor == null) {
            damages.add(new CorruptionException("table " + section + " of a chain of segments: expected codecs, found '"
                    + chain.attributes(section) + "'"));
        }
        final Counter counter = new Counter();
        for (int keyGroup = firstKeyGroup; keyGroup < endKeyGroup; keyGroup++) {
            counter.count(section, keyGroup);
        }
        return new InspectedTable(
                isTimers,
                name,
                isTimers ? chain.attributes(section) : descriptor == null ? "?" : descriptor.keyCodec(),
                isTimers ? "" : descriptor == null ? "?" : descriptor.valueCodec(),
                counter.keyGroups,
                counter.entries,
                counter.pages * PAGE_LENGTH,
                counter.isIntact);
    }

    /** Visits the intact entries of the tables of a name. */
    void forEach(final String name, final EntryVisitor visitor) {
        for (final String section : List.of(VALUE_PREFIX + name, TIMER_PREFIX + name)) {
            for (int keyGroup = firstKeyGroup; keyGroup < endKeyGroup; keyGroup++) {
                if (!chain.isEmpty(section, keyGroup)) {
                    forEach(section, keyGroup, visitor);
                }
            }
        }
    }

    /** Says whether the key group is intact; no entry was visited if it is not. */
    private boolean forEach(final String section, final int keyGroup, final EntryVisitor visitor) {
        try {
            if (section.startsWith(TIMER_PREFIX)) {
                entries.forEachTimer(section, keyGroup, visitor::onTimer);
            } else {
                entries.forEachValue(section, keyGroup, visitor::onValue);
            }
            return true;
        } catch (final CorruptionException e) {
            damages.add(e);
            return false;
        }
    }

    @Override
    public void close() {
        chain.close();
    }

    /** Counts what a table has. */
    private final class Counter implements EntryVisitor {
        private int keyGroups;
        private long entries;
        private long pages;
        private boolean isIntact = true;

        void count(final String section, final int keyGroup) {
            if (chain.isEmpty(section, keyGroup)) {
                return;
            }
            final long before = entries;
            if (!SharedChain.this.forEach(section, keyGroup, this)) {
                isIntact = false;
                return;
            }
            pages += chain.image(section, keyGroup).pages();
            keyGroups += entries > before ? 1 : 0;
        }

        @Override
        public void onValue(final int keyGroup, final DirectBuffer key, final DirectBuffer value) {
            entries++;
        }

        @Override
        public void onTimer(final int keyGroup, final long time, final DirectBuffer key) {
            entries++;
        }
    }
}
