package io.weir.storage.inspect;

import static io.weir.storage.state.StateFormat.TIMER_PREFIX;
import static io.weir.storage.state.StateFormat.VALUE_PREFIX;

import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentSurvey;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateFormat;
import java.util.BitSet;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The keyed state in canonical form, and all else, that a task's own segment holds. */
final class OwnSegment implements AutoCloseable {
    private final SegmentSurvey survey;
    private final Damages damages;
    private final boolean isIntact;

    /** An open segment, and whether the survey has found nothing. */
    OwnSegment(final SegmentSurvey survey, final Damages damages, final boolean isIntact) {
        this.survey = survey;
        this.damages = damages;
        this.isIntact = isIntact;
    }

    boolean isIntact() {
        return isIntact;
    }

    long bytes() {
        return survey.bytes();
    }

    void addTo(final List<InspectedTable> tables, final List<InspectedSection> sections) {
        final List<SegmentSurvey.Section> all = survey.sections();
        for (int i = 0; i < all.size(); i++) {
            final SegmentSurvey.Section section = all.get(i);
            if (isTable(section)) {
                tables.add(table(i, section));
            } else {
                sections.add(new InspectedSection(
                        section.name(), section.attributes(), section.entries(), section.bytes(), section.isIntact()));
            }
        }
    }

    private static boolean isTable(final SegmentSurvey.Section section) {
        return section.name().startsWith(VALUE_PREFIX) || section.name().startsWith(TIMER_PREFIX);
    }

    private InspectedTable table(final int index, final SegmentSurvey.Section section) {
        final boolean isTimers = section.name().startsWith(TIMER_PREFIX);
        final String name = section.name().substring((isTimers ? TIMER_PREFIX : VALUE_PREFIX).length());
        final BitSet groups = new BitSet();
        final Counts counts = new Counts();
        final int before = damages.told();
        forEach(index, isTimers, new EntryVisitor() {
            @Override
            public void onValue(final int keyGroup, final DirectBuffer key, final DirectBuffer value) {
                groups.set(keyGroup);
                counts.entries++;
            }

            @Override
            public void onTimer(final int keyGroup, final long time, final DirectBuffer key) {
                groups.set(keyGroup);
                counts.entries++;
            }
        });
        final Codecs codecs = isTimers ? new Codecs(section.attributes(), "") : codecs(name, section);
        return new InspectedTable(
                isTimers,
                name,
                codecs.key,
                codecs.value,
                groups.cardinality(),
                counts.entries,
                section.bytes(),
                section.isIntact() && damages.told() == before);
    }

    private Codecs codecs(final String name, final SegmentSurvey.Section section) {
        final StateDescriptor descriptor = StateFormat.descriptor(name, section.attributes());
        if (descriptor == null) {
            damages.add(new CorruptionException(survey.name() + " in section " + section.name()
                    + ": expected codecs, found '" + section.attributes() + "'"));
            return new Codecs("?", "?");
        }
        return new Codecs(descriptor.keyCodec(), descriptor.valueCodec());
    }

    /** Visits the intact entries of the tables of a name. */
    void forEach(final String name, final EntryVisitor visitor) {
        final List<SegmentSurvey.Section> all = survey.sections();
        for (int i = 0; i < all.size(); i++) {
            final String section = all.get(i).name();
            if (section.equals(VALUE_PREFIX + name)) {
                forEach(i, false, visitor);
            } else if (section.equals(TIMER_PREFIX + name)) {
                forEach(i, true, visitor);
            }
        }
    }

    /** Visits the intact entries of a section that is no table. */
    void forEachOfSection(final String name, final SegmentReader.Visitor visitor) {
        final List<SegmentSurvey.Section> all = survey.sections();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name) && !isTable(all.get(i))) {
                try {
                    survey.forEach(i, visitor);
                } catch (final CorruptionException | SnapshotException e) {
                    damages.add(e);
                }
            }
        }
    }

    private void forEach(final int index, final boolean isTimers, final EntryVisitor visitor) {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        final UnsafeBuffer value = new UnsafeBuffer(0, 0);
        try {
            survey.forEach(index, (keyGroup, buffer, offset, length) -> {
                final int keyLength = isTimers
                        ? length - StateFormat.timerEntryLength(0)
                        : StateFormat.keyLength(buffer, offset, length);
                if (keyGroup < 0 || keyLength < 0) {
                    damages.add(new CorruptionException(survey.name() + " in section "
                            + survey.sections().get(index).name()
                            + ": expected an entry with a key and a key group, found "
                            + length + " bytes of key group " + keyGroup));
                } else if (isTimers) {
                    key.wrap(buffer, StateFormat.timerKeyOffset(offset), keyLength);
                    visitor.onTimer(keyGroup, StateFormat.time(buffer, offset), key);
                } else {
                    final int keyOffset = StateFormat.keyOffset(offset);
                    key.wrap(buffer, keyOffset, keyLength);
                    value.wrap(buffer, keyOffset + keyLength, offset + length - keyOffset - keyLength);
                    visitor.onValue(keyGroup, key, value);
                }
            });
        } catch (final CorruptionException | SnapshotException e) {
            damages.add(e);
        }
    }

    @Override
    public void close() {
        survey.close();
    }

    private record Codecs(String key, String value) {}

    /** What a visitor counts. */
    private static final class Counts {
        private long entries;
    }
}
