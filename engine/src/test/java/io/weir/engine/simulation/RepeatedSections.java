package io.weir.engine.simulation;

import io.weir.storage.snapshot.SegmentReader;
import java.util.List;
import java.util.function.Predicate;

/**
 * A segment in which some sections come more than once, or not at all.
 *
 * @param segment as it is.
 * @param which sections, by name.
 * @param times that they come.
 */
record RepeatedSections(SegmentReader segment, Predicate<String> which, int times) implements SegmentReader {
    @Override
    public String name() {
        return segment.name();
    }

    @Override
    public List<Section> sections() {
        return segment.sections().stream()
                .filter(section -> times > 0 || !which.test(section.name()))
                .toList();
    }

    @Override
    public long forEach(final String section, final Visitor visitor) {
        long entries = 0;
        for (int i = which.test(section) ? times : 1; i > 0; i--) {
            entries += segment.forEach(section, visitor);
        }
        return entries;
    }

    @Override
    public void close() {
        segment.close();
    }
}
