package io.weir.storage.pagefile;

import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The segments that are a task's state together: what a newer one says of a line hides what older ones say. Immutable and
 * shareable by threads until it is closed, which is when nobody needs it or an image of it any more.
 */
public final class PageChain implements AutoCloseable {
    private final PageSegmentReader[] segments;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    /** Those of all segments, and where each segment's begin. */
    private final DirectBuffer[] mappings;

    private final int[] firstMappings;
    private volatile boolean closed;

    /**
     * Puts segments together. The chain takes them over: it closes them, at once if this throws. Segments of several tasks
     * (after a change of parallelism) may be mixed as long as those of each key group are in order.
     *
     * @param oldestFirst the segments; none for an empty state.
     * @throws IllegalArgumentException if the same file is there twice, where it would hide what came between.
     * @throws CorruptionException if two segments disagree on the attributes of a table.
     */
    public PageChain(final List<PageSegmentReader> oldestFirst) {
        segments = oldestFirst.toArray(new PageSegmentReader[0]);
        firstMappings = new int[segments.length];
        try {
            checkPaths();
            addTables();
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
        int count = 0;
        for (int i = 0; i < segments.length; i++) {
            firstMappings[i] = count;
            count += segments[i].mappings();
        }
        mappings = new DirectBuffer[count];
        for (int i = 0; i < segments.length; i++) {
            for (int mapping = 0; mapping < segments[i].mappings(); mapping++) {
                mappings[firstMappings[i] + mapping] = segments[i].mapping(mapping);
            }
        }
    }

    private void checkPaths() {
        final Set<Path> paths = new HashSet<>();
        for (final PageSegmentReader segment : segments) {
            if (!paths.add(segment.path())) {
                throw new IllegalArgumentException("segment " + segment.name() + " is twice in one chain");
            }
        }
    }

    private void addTables() {
        for (final PageSegmentReader segment : segments) {
            final PageIndex index = segment.index();
            for (int table = 0; table < index.tables().size(); table++) {
                final String name = index.tables().get(table);
                final String found = index.attributes(table);
                final String expected = attributes.putIfAbsent(name, found);
                if (expected != null && !expected.equals(found)) {
                    throw Corruption.at(
                            segment.name(),
                            index.tablePosition(table),
                            "attributes " + expected + " of table " + name + " as in older segments",
                            found);
                }
            }
        }
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the chain of segments is closed");
        }
    }

    DirectBuffer mapping(final int number) {
        return mappings[number];
    }

    /**
     * The tables of all segments.
     *
     * @return their names, by first appearance.
     */
    public List<String> tables() {
        return List.copyOf(attributes.keySet());
    }

    /**
     * What was kept with a table.
     *
     * @param table its name.
     * @return the text, null if no segment has such a table.
     */
    public String attributes(final String table) {
        return attributes.get(table);
    }

    /**
     * Whether no segment says anything of a key group; looks at indices only. A group whose pages are all gone is not empty in
     * this sense.
     *
     * @param table its name; none of this name is empty.
     * @param keyGroup to look for.
     * @return whether its image has no page for sure.
     */
    public boolean isEmpty(final String table, final int keyGroup) {
        for (final PageSegmentReader segment : segments) {
            if (segment.index().group(table, keyGroup) != PageIndex.ABSENT) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads what a key group's pages are now: verifies the checksums of all its blocks in all segments and remembers where the
     * newest lines of each page are. Reads all bytes of the group, so it may wait for the disk; allocates some 80 bytes per
     * record.
     *
     * @param table its name; none of this name has no pages.
     * @param keyGroup to read.
     * @return the image, which reads from this chain.
     * @throws CorruptionException if bytes are damaged; it names file, offset, expected and found.
     */
    public GroupImage image(final String table, final int keyGroup) {
        checkOpen();
        long records = 0;
        for (final PageSegmentReader segment : segments) {
            final int group = segment.index().group(table, keyGroup);
            records += group == PageIndex.ABSENT ? 0 : segment.index().records(group);
        }
        if (records > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(
                    "table " + table + ", key group " + keyGroup + ": too many records for one image: " + records);
        }
        final GroupImageBuilder image = new GroupImageBuilder(this, (int) records);
        final GroupScanner scanner = new GroupScanner(image);
        for (int i = 0; i < segments.length; i++) {
            final int group = segments[i].index().group(table, keyGroup);
            if (group != PageIndex.ABSENT) {
                image.beginSegment(firstMappings[i]);
                scanner.scan(segments[i], group);
            }
        }
        return image.build();
    }

    /**
     * How long the files of all segments are together.
     *
     * @return in bytes.
     */
    public long bytes() {
        long bytes = 0;
        for (final PageSegmentReader segment : segments) {
            bytes += segment.bytes();
        }
        return bytes;
    }

    /**
     * Writes one segment that says what all of these say: every table, and all lines of every page that is there. Holds the
     * image of one key group at a time. I/O thread; may block, throws what {@link #image} and the target throw.
     *
     * @param target an empty segment, which the caller finishes.
     * @param firstKeyGroup of those to write.
     * @param endKeyGroup behind the last of those to write.
     */
    public void compact(final PageSegmentWriter target, final int firstKeyGroup, final int endKeyGroup) {
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        for (final Map.Entry<String, String> table : attributes.entrySet()) {
            final int number = target.table(table.getKey(), table.getValue());
            for (int keyGroup = firstKeyGroup; keyGroup < endKeyGroup; keyGroup++) {
                if (!isEmpty(table.getKey(), keyGroup)) {
                    image(table.getKey(), keyGroup).writeTo(target, number, keyGroup, page);
                }
            }
        }
    }

    /**
     * Writes one segment that can stand in the place of these between older and newer ones: of each page the lines that any of
     * these has, and that a page is gone. Holds the image of one key group at a time. I/O thread; may block, throws what
     * {@link #image} and the target throw.
     *
     * @param target an empty segment, which the caller finishes.
     * @param firstKeyGroup of those to write.
     * @param endKeyGroup behind the last of those to write.
     */
    public void merge(final PageSegmentWriter target, final int firstKeyGroup, final int endKeyGroup) {
        final UnsafeBuffer page = new UnsafeBuffer(new byte[PageFormat.PAGE_LENGTH]);
        for (final Map.Entry<String, String> table : attributes.entrySet()) {
            final int number = target.table(table.getKey(), table.getValue());
            for (int keyGroup = firstKeyGroup; keyGroup < endKeyGroup; keyGroup++) {
                if (!isEmpty(table.getKey(), keyGroup)) {
                    image(table.getKey(), keyGroup).writeChangesTo(target, number, keyGroup, page);
                }
            }
        }
    }

    /** Closes all segments. Idempotent. */
    @Override
    public void close() {
        closed = true;
        for (final PageSegmentReader segment : segments) {
            segment.close();
        }
    }
}
