package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.pagefile.PageSegmentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The chains of a restored checkpoint, one for each task that took it. Of each chain only the key groups count that its task
 * owned: after a change of parallelism a segment holds old pages of groups that went to other tasks. And only some tables may
 * count, where operators have moved between tasks; then several chains have the same key groups. Any thread.
 */
final class RestoredChains implements AutoCloseable {
    /** What a group is read from that no task owned: the checkpoint has nothing of it. */
    private static final PageChain NOTHING = new PageChain(List.of());

    private final List<Part> parts;
    private final AtomicInteger users = new AtomicInteger(1);

    RestoredChains(final List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * One task's chain.
     *
     * @param chain open.
     * @param firstKeyGroup of those that count.
     * @param endKeyGroup behind the last of those that count.
     * @param accepted tells of a table's section whether it counts.
     */
    record Part(PageChain chain, int firstKeyGroup, int endKeyGroup, Predicate<String> accepted) {
        /** All tables count. */
        Part(final PageChain chain, final int firstKeyGroup, final int endKeyGroup) {
            this(chain, firstKeyGroup, endKeyGroup, section -> true);
        }

        boolean has(final String section, final int keyGroup) {
            return keyGroup >= firstKeyGroup
                    && keyGroup < endKeyGroup
                    && chain.attributes(section) != null
                    && accepted.test(section);
        }
    }

    List<TableName> tables() {
        final TreeSet<TableName> tables =
                new TreeSet<>((a, b) -> (a.section() + a.attributes()).compareTo(b.section() + b.attributes()));
        for (final Part part : parts) {
            part.chain().tables().stream()
                    .filter(part.accepted())
                    .forEach(section ->
                            tables.add(new TableName(section, part.chain().attributes(section))));
        }
        return new ArrayList<>(tables);
    }

    /** Whether the chains hold tables that do not count. */
    boolean haveForeignTables() {
        return parts.stream()
                .anyMatch(part -> part.chain().tables().stream()
                        .anyMatch(section -> !part.accepted().test(section)));
    }

    private PageChain chain(final String section, final int keyGroup) {
        for (final Part part : parts) {
            if (part.has(section, keyGroup)) {
                return part.chain();
            }
        }
        return NOTHING;
    }

    boolean isEmpty(final String section, final int keyGroup) {
        return chain(section, keyGroup).isEmpty(section, keyGroup);
    }

    GroupImage image(final String section, final int keyGroup) {
        return chain(section, keyGroup).image(section, keyGroup);
    }

    /**
     * Writes all pages of some key groups: a segment that needs none of these any more. I/O thread.
     *
     * @param newNames tables whose attributes are to be these, whatever the chains say.
     */
    void writeBase(
            final PageSegmentWriter writer,
            final List<TableName> newNames,
            final int firstKeyGroup,
            final int endKeyGroup) {
        final Map<String, String> attributes = new TreeMap<>();
        tables().forEach(table -> attributes.put(table.section(), table.attributes()));
        newNames.stream()
                .filter(TableName::isKept)
                .forEach(table -> attributes.put(table.section(), table.attributes()));
        final UnsafeBuffer page = new UnsafeBuffer(new byte[Page.LENGTH]);
        attributes.forEach((section, text) -> {
            final int number = writer.table(section, text);
            for (int keyGroup = firstKeyGroup; keyGroup < endKeyGroup; keyGroup++) {
                if (!isEmpty(section, keyGroup)) {
                    image(section, keyGroup).writeTo(writer, number, keyGroup, page);
                }
            }
        });
    }

    /** Adds a user, who closes too. */
    void retain() {
        users.incrementAndGet();
    }

    /** Lets go of the files once the last user has closed; each user closes once. */
    @Override
    public void close() {
        if (users.decrementAndGet() == 0) {
            parts.forEach(part -> part.chain().close());
        }
    }
}
