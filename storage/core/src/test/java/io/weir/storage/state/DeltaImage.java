package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** All entries of a store by what makes them unique: written like a segment, read like one, and told apart from another. */
final class DeltaImage implements SegmentWriter, SegmentReader {
    private static final String GONE = "gone/";

    private final Map<String, Table> tables = new TreeMap<>();
    private Table open;

    @Override
    public void beginSection(final String name, final String attributes) {
        open = tables.computeIfAbsent(name, absent -> new Table(attributes));
    }

    @Override
    public void entry(final int keyGroup, final DirectBuffer buffer, final int offset, final int length) {
        open.put(keyGroup, buffer, offset, length);
    }

    /** Adds what a segment has changed. */
    void apply(final SegmentReader segment, final int firstKeyGroup, final int endKeyGroup) {
        for (final Section section : segment.sections()) {
            final boolean gone = section.name().startsWith(GONE);
            beginSection(gone ? section.name().substring(GONE.length()) : section.name(), section.attributes());
            final Table table = open;
            segment.forEach(section.name(), (keyGroup, buffer, offset, length) -> {
                if (keyGroup < firstKeyGroup || keyGroup >= endKeyGroup) {
                    return;
                }
                if (gone) {
                    table.entries.remove(table.id(keyGroup, buffer, offset, length));
                } else {
                    table.put(keyGroup, buffer, offset, length);
                }
            });
        }
    }

    /** Keeps some tables by name; says whether others went. */
    boolean retain(final Predicate<String> accepted) {
        return tables.keySet().removeIf(section -> !accepted.test(section.substring(section.indexOf('/') + 1)));
    }

    void addAll(final DeltaImage other) {
        other.tables.forEach((name, table) -> {
            beginSection(name, table.attributes);
            open.entries.putAll(table.entries);
        });
    }

    /** Whether what both have is of the same codecs, so that the changes from one to the other can be told. */
    boolean hasAttributesOf(final DeltaImage other) {
        return tables.entrySet().stream()
                .allMatch(table -> other.tables
                        .getOrDefault(table.getKey(), table.getValue())
                        .attributes
                        .equals(table.getValue().attributes));
    }

    /** Writes what is here and not in another image, and what is there only. */
    void writeChanges(final DeltaImage before, final SegmentWriter target) {
        tables.forEach((name, table) -> {
            final Table old = before.tables.getOrDefault(name, new Table(table.attributes));
            target.beginSection(name, table.attributes);
            table.entries.forEach((id, entry) -> {
                final Entry was = old.entries.get(id);
                if (was == null || !Arrays.equals(was.bytes, entry.bytes)) {
                    target.entry(entry.keyGroup, new UnsafeBuffer(entry.bytes), 0, entry.bytes.length);
                }
            });
            target.beginSection(GONE + name, table.attributes);
            old.entries.forEach((id, entry) -> {
                if (!table.entries.containsKey(id)) {
                    target.entry(entry.keyGroup, new UnsafeBuffer(entry.bytes), 0, entry.bytes.length);
                }
            });
        });
    }

    @Override
    public String name() {
        return "image";
    }

    @Override
    public List<Section> sections() {
        final List<Section> sections = new ArrayList<>();
        tables.forEach((name, table) -> sections.add(new Section(name, table.attributes, table.entries.size())));
        return sections;
    }

    @Override
    public long forEach(final String name, final Visitor visitor) {
        final Table table = tables.get(name);
        table.entries
                .values()
                .forEach(
                        entry -> visitor.onEntry(entry.keyGroup, new UnsafeBuffer(entry.bytes), 0, entry.bytes.length));
        return table.entries.size();
    }

    @Override
    public SegmentHandle finish() {
        throw new UnsupportedOperationException("an image is no file");
    }

    @Override
    public void close() {
        // Holds nothing but memory.
    }

    private static final class Table {
        private final String attributes;
        private final Map<String, Entry> entries = new TreeMap<>();

        Table(final String attributes) {
            this.attributes = attributes;
        }

        void put(final int keyGroup, final DirectBuffer buffer, final int offset, final int length) {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            entries.put(id(keyGroup, buffer, offset, length), new Entry(keyGroup, bytes));
        }

        /** States have values behind their keys, which their attributes tell, timers have none. */
        String id(final int keyGroup, final DirectBuffer buffer, final int offset, final int length) {
            final int idLength = !attributes.matches("[0-9]+:.*")
                    ? length
                    : StateFormat.keyOffset(0) + StateFormat.keyLength(buffer, offset, length);
            final StringBuilder id = new StringBuilder().append(keyGroup).append(' ');
            for (int i = 0; i < idLength; i++) {
                id.append((char) (buffer.getByte(offset + i) & 0xFF));
            }
            return id.toString();
        }
    }

    private static final class Entry {
        private final int keyGroup;
        private final byte[] bytes;

        Entry(final int keyGroup, final byte[] bytes) {
            this.keyGroup = keyGroup;
            this.bytes = bytes;
        }
    }
}
