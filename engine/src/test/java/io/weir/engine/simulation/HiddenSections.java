package io.weir.engine.simulation;

import io.weir.storage.snapshot.SegmentReader;
import java.util.List;
import java.util.function.Predicate;

/** A segment in which some sections are not found. */
record HiddenSections(SegmentReader segment, Predicate<String> hidden) implements SegmentReader {
    @Override
    public String name() {
        return segment.name();
    }

    @Override
    public List<Section> sections() {
        return segment.sections().stream()
                .filter(section -> !hidden.test(section.name()))
                .toList();
    }

    @Override
    public long forEach(final String section, final Visitor visitor) {
        return hidden.test(section) ? 0 : segment.forEach(section, visitor);
    }

    @Override
    public void close() {
        segment.close();
    }
}
