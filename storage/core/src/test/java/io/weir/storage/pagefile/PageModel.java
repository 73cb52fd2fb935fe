package io.weir.storage.pagefile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/** What pages hold, plainly, and random segments that tell how it changes. */
final class PageModel {
    static final List<String> TABLES = List.of("count", "größe", "timers");
    private static final int[] KEY_GROUPS = {0, 1, 5, 127, Integer.MAX_VALUE};
    private static final int PADDING = 24;

    private final Random random;
    private final TreeMap<PageId, byte[]> pages = new TreeMap<>();

    PageModel(final Random random) {
        this.random = random;
    }

    private record PageId(int table, int keyGroup, int pageNumber) implements Comparable<PageId> {
        private static final Comparator<PageId> ORDER = Comparator.comparingInt(PageId::table)
                .thenComparingInt(PageId::keyGroup)
                .thenComparingInt(PageId::pageNumber);

        @Override
        public int compareTo(final PageId other) {
            return ORDER.compare(this, other);
        }
    }

    static String attributes(final String table) {
        return "attributes of " + table;
    }

    /** Changes some pages and writes what changed. */
    void writeSegment(final PageSegmentWriter writer, final int changes) {
        final TreeMap<PageId, Long> dirty = new TreeMap<>();
        for (int i = 0; i < changes; i++) {
            change(randomId(), dirty);
        }
        final List<String> order = new ArrayList<>(TABLES);
        Collections.shuffle(order, random);
        for (final String table : order) {
            final int number = writer.table(table, attributes(table));
            dirty.forEach((id, mask) -> {
                if (TABLES.get(id.table).equals(table)) {
                    write(writer, number, id, mask);
                }
            });
        }
    }

    private PageId randomId() {
        final int pageNumber = random.nextInt(20) == 0
                ? PageFormat.MAX_PAGE_NUMBER - random.nextInt(1 + random.nextInt(1 << 20))
                : random.nextInt(25);
        return new PageId(random.nextInt(TABLES.size()), KEY_GROUPS[random.nextInt(KEY_GROUPS.length)], pageNumber);
    }

    private void change(final PageId id, final Map<PageId, Long> dirty) {
        final Long before = dirty.get(id);
        final int action = random.nextInt(20);
        if (action == 0) {
            pages.remove(id);
            dirty.put(id, 0L);
            return;
        }
        final boolean again = before != null && before == 0;
        final boolean whole = again || action < 5;
        final byte[] page = (whole && action < 3) || !pages.containsKey(id)
                ? new byte[PageFormat.PAGE_LENGTH]
                : pages.get(id).clone();
        final int lines = random.nextBoolean() ? 1 + random.nextInt(3) : 1 + random.nextInt(64);
        long mask = whole ? -1L : before == null ? 0 : before;
        for (int i = 0; i < lines; i++) {
            final int line = random.nextInt(64);
            final byte[] bytes = new byte[PageFormat.LINE_LENGTH];
            if (random.nextInt(8) > 0) {
                random.nextBytes(bytes);
            } else if (random.nextBoolean()) {
                bytes[random.nextInt(bytes.length)] = 1;
            }
            System.arraycopy(bytes, 0, page, line * PageFormat.LINE_LENGTH, bytes.length);
            mask |= 1L << line;
        }
        pages.put(id, page);
        dirty.put(id, mask);
    }

    private void write(final PageSegmentWriter writer, final int table, final PageId id, final long mask) {
        final byte[] page = new byte[PADDING + PageFormat.PAGE_LENGTH];
        if (mask != 0) {
            System.arraycopy(pages.get(id), 0, page, PADDING, PageFormat.PAGE_LENGTH);
            // What the mask does not tell must not matter.
            for (int line = 0; line < 64; line++) {
                if ((mask & (1L << line)) == 0) {
                    final int start = PADDING + line * PageFormat.LINE_LENGTH;
                    Arrays.fill(page, start, start + PageFormat.LINE_LENGTH, (byte) 0xEE);
                }
            }
        }
        writer.page(table, id.keyGroup, id.pageNumber, mask, new UnsafeBuffer(page), PADDING);
    }

    /** Compares everything that a chain tells of some key groups, and that it has nothing else. */
    void check(final PageChain chain, final int firstKeyGroup, final int endKeyGroup) {
        for (int table = 0; table < TABLES.size(); table++) {
            for (final int keyGroup : KEY_GROUPS) {
                if (keyGroup != Integer.MAX_VALUE) {
                    check(chain, table, keyGroup, keyGroup >= firstKeyGroup && keyGroup < endKeyGroup);
                }
            }
            assertTrue(chain.isEmpty(TABLES.get(table), 77));
            assertEquals(0, chain.image(TABLES.get(table), 77).endPageNumber());
        }
        assertTrue(chain.isEmpty("absent", 0));
        assertFalse(chain.image("absent", 0).has(0));
    }

    /** Compares the one key group that no range has. */
    void checkLastKeyGroup(final PageChain chain) {
        for (int table = 0; table < TABLES.size(); table++) {
            check(chain, table, Integer.MAX_VALUE, true);
        }
    }

    private void check(final PageChain chain, final int table, final int keyGroup, final boolean inside) {
        final List<PageId> expected = new ArrayList<>();
        for (final PageId id : pages.keySet()) {
            if (inside && id.table == table && id.keyGroup == keyGroup) {
                expected.add(id);
            }
        }
        final String name = TABLES.get(table);
        assertTrue(expected.isEmpty() || !chain.isEmpty(name, keyGroup));
        final GroupImage image = chain.image(name, keyGroup);
        final List<PageId> found = new ArrayList<>();
        for (int i = 0; i < image.pages(); i++) {
            found.add(new PageId(table, keyGroup, image.pageNumber(i)));
        }
        assertEquals(expected, found);
        assertEquals(expected.isEmpty() ? 0 : expected.get(expected.size() - 1).pageNumber + 1, image.endPageNumber());
        final Set<PageId> there = new HashSet<>(expected);
        for (int pageNumber = -1; pageNumber < 30; pageNumber++) {
            assertEquals(there.contains(new PageId(table, keyGroup, pageNumber)), image.has(pageNumber));
        }
        for (final PageId id : expected) {
            assertTrue(image.has(id.pageNumber));
            checkPage(image, id);
        }
    }

    private void checkPage(final GroupImage image, final PageId id) {
        final byte[] expected = pages.get(id);
        final byte[] found = new byte[PADDING + PageFormat.PAGE_LENGTH + PADDING];
        Arrays.fill(found, (byte) 0x55);
        final UnsafeBuffer target = new UnsafeBuffer(found);
        image.read(id.pageNumber, target, PADDING);
        assertArrayEquals(surrounded(expected, PageFormat.PAGE_LENGTH), found, id::toString);
        Arrays.fill(found, (byte) 0x55);
        image.readLine0(id.pageNumber, target, PADDING);
        assertArrayEquals(surrounded(expected, PageFormat.LINE_LENGTH), found, id::toString);
    }

    private static byte[] surrounded(final byte[] page, final int length) {
        final byte[] bytes = new byte[PADDING + PageFormat.PAGE_LENGTH + PADDING];
        Arrays.fill(bytes, (byte) 0x55);
        System.arraycopy(page, 0, bytes, PADDING, length);
        return bytes;
    }
}
