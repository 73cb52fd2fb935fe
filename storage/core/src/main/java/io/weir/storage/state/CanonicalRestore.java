package io.weir.storage.state;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentReader;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Fills a store's tables from segments in canonical form ({@link StateFormat}), whichever backend keeps them. Task thread. */
public final class CanonicalRestore {
    private final StoreContext context;
    private final Function<StateDescriptor, ValueTable> values;
    private final BiFunction<String, String, TimerTable> timers;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    /**
     * A restore into the tables of a store.
     *
     * @param context of the store: key groups that it does not own are skipped.
     * @param values gives the table of a state; it refuses other codecs than those it has.
     * @param timers gives the timer table of a name and the codec of its keys, empty if it is not known.
     */
    public CanonicalRestore(
            final StoreContext context,
            final Function<StateDescriptor, ValueTable> values,
            final BiFunction<String, String, TimerTable> timers) {
        this.context = context;
        this.values = values;
        this.timers = timers;
    }

    /**
     * Adds the entries of a segment; sections that hold neither states nor timers are left alone.
     *
     * @param segment in canonical form.
     * @param tables tells by its name whether a state, or timers, are taken.
     * @throws CorruptionException if it is damaged.
     */
    public void restore(final SegmentReader segment, final Predicate<String> tables) {
        for (final SegmentReader.Section section : segment.sections()) {
            if (section.name().startsWith(StateFormat.VALUE_PREFIX)) {
                if (tables.test(section.name().substring(StateFormat.VALUE_PREFIX.length()))) {
                    restoreValues(segment, section);
                }
            } else if (section.name().startsWith(StateFormat.TIMER_PREFIX)
                    && tables.test(section.name().substring(StateFormat.TIMER_PREFIX.length()))) {
                restoreTimers(segment, section);
            }
        }
    }

    private void restoreValues(final SegmentReader segment, final SegmentReader.Section section) {
        final String name = section.name().substring(StateFormat.VALUE_PREFIX.length());
        final StateDescriptor descriptor = StateFormat.descriptor(name, section.attributes());
        if (descriptor == null) {
            throw damaged(segment, section, "codecs", "'" + section.attributes() + "'");
        }
        final ValueTable table = values.apply(descriptor);
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

    private void restoreValue(
            final SegmentReader segment,
            final SegmentReader.Section section,
            final ValueTable table,
            final int keyGroup,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        final int key = StateFormat.keyOffset(offset);
        final int value = key + keyLength;
        if (table.get(keyGroup, buffer, key, keyLength, view)) {
            throw damaged(segment, section, "each key once", "one a second time in key group " + keyGroup);
        }
        table.put(keyGroup, buffer, key, keyLength, buffer, value, offset + length - value);
    }

    private void restoreTimers(final SegmentReader segment, final SegmentReader.Section section) {
        final String name = section.name().substring(StateFormat.TIMER_PREFIX.length());
        final TimerTable table = timers.apply(name, section.attributes());
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
        if (keyGroup < 0 || keyGroup >= context.maxParallelism()) {
            throw damaged(segment, section, "a key group in [0, " + context.maxParallelism() + ")", "" + keyGroup);
        }
        return keyGroup >= context.firstKeyGroup() && keyGroup < context.endKeyGroup();
    }

    private static CorruptionException damaged(
            final SegmentReader segment,
            final SegmentReader.Section section,
            final String expected,
            final String found) {
        return new CorruptionException(
                segment.name() + " in section " + section.name() + ": expected " + expected + ", found " + found);
    }
}
