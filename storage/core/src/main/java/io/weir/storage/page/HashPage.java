package io.weir.storage.page;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small hash table in a page: slots, then entries of any length behind one another.
 *
 * <pre>
 *   header | slots, 2 bytes each, a power of two of them | entry | entry | ... | free
 *
 *   slot:  15    9 8          0      0 is empty, 1 was removed
 *          +-------+------------+
 *          |  tag  | offset / 8 |    tag: 7 bits of the hash
 *          +-------+------------+
 *
 *   entry: 0            2              4
 *          +------------+--------------+-----+-------+---------+
 *          | key length | value length | key | value | padding |      padded to 8 bytes
 *          +------------+--------------+-----+-------+---------+
 *
 *   large: 0            2              4            8      16           20             24
 *          +------------+--------------+------------+------+------------+--------------+
 *          |   0x8000   |       0      | first page | hash | key length | value length |   bytes in {@link OverflowPages}
 *          +------------+--------------+------------+------+------------+--------------+
 * </pre>
 *
 * A lookup reads four slots at a time, from the group of four that the hash names on, up to a group with an empty slot.
 * Nothing here asks whether the page may be written: the caller does.
 */
final class HashPage {
    /** The longest entry in a page; longer ones go to overflow pages. At least three of them fit. */
    static final int MAX_ENTRY_LENGTH = 1008;

    static final int LARGE_ENTRY_LENGTH = 24;
    static final int NOT_FOUND = -1;

    static final int SLOTS = Page.HEADER_LENGTH;
    static final int SLOT_LENGTH = Short.BYTES;
    private static final int GROUP_SHIFT = 3;
    static final int MIN_SLOT_BITS = 5;
    static final int MAX_SLOT_BITS = 8;
    static final int REMOVED = 1;
    private static final int OFFSET_MASK = 0x1FF;
    private static final int OFFSET_SHIFT = 3;
    private static final int TAG_SHIFT = 9;
    private static final int TAG_MASK = 0x7F;
    private static final int TAG_BITS = 7;
    private static final long LANES = 0x0001_0001_0001_0001L;
    private static final long LANE_TAGS = 0xFE00_FE00_FE00_FE00L;
    private static final long LANE_SIGNS = 0x8000_8000_8000_8000L;
    private static final int LANE_MASK = 0xFFFF;
    private static final int LARGE_KEY = 0x8000;
    static final int LENGTHS = 4;
    private static final int LARGE_HASH = 8;
    private static final int LARGE_KEY_LENGTH = 16;
    private static final int LARGE_VALUE_LENGTH = 20;
    private static final int ALIGNMENT_MASK = 7;
    /** From an entry's begin to a word in the line that it may reach into. */
    static final int NEXT_LINE = Page.LINE_LENGTH - Long.BYTES;

    static final int LAST_WORD = Page.LENGTH - Long.BYTES;

    private HashPage() {}

    static int entryLength(final int keyLength, final int valueLength) {
        return (LENGTHS + keyLength + valueLength + ALIGNMENT_MASK) & ~ALIGNMENT_MASK;
    }

    /** Whether an entry stays in its page. */
    static boolean isSmall(final int keyLength, final int valueLength) {
        return (long) keyLength + valueLength <= MAX_ENTRY_LENGTH - LENGTHS;
    }

    /** Lays out an empty table for entries of some length on average. */
    static void init(final Page page, final int averageEntryLength, final int prefix, final int depth) {
        page.init(Page.HASH);
        page.prefix(prefix, depth);
        final int entries = (Page.LENGTH - Page.HEADER_LENGTH) / (averageEntryLength + SLOT_LENGTH + 1);
        int bits = MIN_SLOT_BITS;
        while (bits < MAX_SLOT_BITS && maxTouched(bits) < entries) {
            bits++;
        }
        clear(page, bits);
    }

    /** Lays out an empty table that takes all entries of another page, or a part of them. */
    static void initHalf(final Page page, final Page whole, final int prefix, final int depth) {
        init(page, averageEntryLength(whole), prefix, depth);
        if (whole.liveBytes() > capacity(page.slotBits()) || whole.count() > maxTouched(page.slotBits())) {
            clear(page, whole.slotBits());
        }
    }

    private static void clear(final Page page, final int slotBits) {
        final int slotsLength = SLOT_LENGTH << slotBits;
        page.slotBits(slotBits);
        page.count(0);
        page.touchedSlots(0);
        page.liveBytes(0);
        page.freeStart(SLOTS + slotsLength);
        page.buffer().setMemory(SLOTS, slotsLength, (byte) 0);
    }

    /** Behind the last slot. */
    static int endOfSlots(final int slotBits) {
        return SLOTS + (SLOT_LENGTH << slotBits);
    }

    private static int maxTouched(final int slotBits) {
        return (1 << slotBits) - (1 << (slotBits - 3));
    }

    private static int capacity(final int slotBits) {
        return Page.LENGTH - SLOTS - (SLOT_LENGTH << slotBits);
    }

    /**
     * Finds the slot of an entry.
     *
     * @param slotBits of the page, which a caller may know without reading the page.
     * @return its offset in the page, or {@link #NOT_FOUND}.
     */
    static int find(
            final Page page,
            final int slotBits,
            final long hash,
            final DirectBuffer key,
            final int offset,
            final int length,
            final LargeKeys large) {
        final int groupMask = (1 << (slotBits - 2)) - 1;
        final long tags = (hash & TAG_MASK) * (LANES << TAG_SHIFT);
        int group = (int) (hash >>> TAG_BITS) & groupMask;
        for (int probe = 0; probe <= groupMask; probe++) {
            final int at = SLOTS + (group << GROUP_SHIFT);
            final long slots = page.getLong(at);
            long matches = matches(slots, tags);
            while (matches != 0) {
                final int lane = Long.numberOfTrailingZeros(matches) >>> 4;
                final int entry = ((int) (slots >>> (lane << 4)) & OFFSET_MASK) << OFFSET_SHIFT;
                if (entry > REMOVED << OFFSET_SHIFT && isKey(page, entry, hash, key, offset, length, large)) {
                    return at + lane * SLOT_LENGTH;
                }
                matches &= matches - 1;
            }
            if (((slots - LANES) & ~slots & LANE_SIGNS) != 0) {
                return NOT_FOUND;
            }
            group = (group + 1) & groupMask;
        }
        return NOT_FOUND;
    }

    /** Where the group of slots is that a lookup reads first. */
    static int firstSlotsOffset(final int slotBits, final long hash) {
        final int groupMask = (1 << (slotBits - 2)) - 1;
        return SLOTS + (((int) (hash >>> TAG_BITS) & groupMask) << GROUP_SHIFT);
    }

    /** The offset of the first entry in a group of slots that may be of a hash; any offset if there is none. No branches. */
    static int likelyEntry(final long slots, final long hash) {
        final long matches = matches(slots, (hash & TAG_MASK) * (LANES << TAG_SHIFT));
        return ((int) (slots >>> laneShift(matches)) & OFFSET_MASK) << OFFSET_SHIFT;
    }

    /** The top bits of those of four slots that have the tag; sometimes also that of a slot above one of these. */
    private static long matches(final long slots, final long tags) {
        final long differences = (slots ^ tags) & LANE_TAGS;
        return (differences - LANES) & ~differences & LANE_SIGNS;
    }

    private static int laneShift(final long matches) {
        return Long.numberOfTrailingZeros(matches) & ~0xF;
    }

    private static boolean isKey(
            final Page page,
            final int entry,
            final long hash,
            final DirectBuffer key,
            final int offset,
            final int length,
            final LargeKeys large) {
        final int keyLength = page.getShort(entry) & LANE_MASK;
        if (keyLength == LARGE_KEY) {
            return page.getLong(entry + LARGE_HASH) == hash
                    && page.getInt(entry + LARGE_KEY_LENGTH) == length
                    && large.isKey(page.getInt(entry + LENGTHS), key, offset, length);
        }
        return keyLength == length && KeyBytes.equal(page, entry + LENGTHS, key, offset, length);
    }

    /** Whether a slot holds the entry of a key, and a small one. */
    static boolean isSmallKey(
            final Page page, final int slot, final DirectBuffer key, final int offset, final int length) {
        final int entry = entry(page, slot);
        return (page.getShort(entry) & LANE_MASK) == length
                && length != LARGE_KEY
                && KeyBytes.equal(page, entry + LENGTHS, key, offset, length);
    }

    /** The entry that a slot holds. */
    static int entry(final Page page, final int slot) {
        return (page.getShort(slot) & OFFSET_MASK) << OFFSET_SHIFT;
    }

    static boolean isLarge(final Page page, final int entry) {
        return (page.getShort(entry) & LANE_MASK) == LARGE_KEY;
    }

    static int keyLength(final Page page, final int entry) {
        return isLarge(page, entry) ? page.getInt(entry + LARGE_KEY_LENGTH) : page.getShort(entry) & LANE_MASK;
    }

    static int valueLength(final Page page, final int entry) {
        return isLarge(page, entry)
                ? page.getInt(entry + LARGE_VALUE_LENGTH)
                : page.getShort(entry + Short.BYTES) & LANE_MASK;
    }

    /** Where the key of a small entry begins. */
    static int keyOffset(final int entry) {
        return entry + LENGTHS;
    }

    static int firstOverflowPage(final Page page, final int entry) {
        return page.getInt(entry + LENGTHS);
    }

    static int storedLength(final Page page, final int entry) {
        return isLarge(page, entry)
                ? LARGE_ENTRY_LENGTH
                : entryLength(keyLength(page, entry), valueLength(page, entry));
    }

    /** The hash of the key of any entry. */
    static long hash(final Page page, final int entry) {
        return isLarge(page, entry)
                ? page.buffer().getLong(entry + LARGE_HASH)
                : KeyBytes.hash(page.buffer(), keyOffset(entry), keyLength(page, entry));
    }

    /** Whether an entry of a length fits behind the others, with a slot to spare. */
    static boolean hasRoom(final Page page, final int length) {
        return page.freeStart() + length <= Page.LENGTH && page.touchedSlots() < maxTouched(page.slotBits());
    }

    /** Whether laying the page out anew makes enough room, so that it will not be full again at once. */
    static boolean hasRoomIfRebuilt(final Page page, final int length) {
        final int bits = slotBitsIfRebuilt(page);
        return bits <= MAX_SLOT_BITS && page.liveBytes() + length <= capacity(bits) - (capacity(bits) >> 3);
    }

    private static int slotBitsIfRebuilt(final Page page) {
        final int bits = page.slotBits();
        return page.count() + 1 > maxTouched(bits) - (maxTouched(bits) >> 3) ? bits + 1 : bits;
    }

    /** Lays the page out anew, without what was removed. */
    static void rebuild(final Page page, final Page scratch) {
        final int bits = slotBitsIfRebuilt(page);
        scratch.buffer().putBytes(0, page.buffer(), 0, Page.LENGTH);
        clear(page, bits);
        page.mask(Page.ALL_LINES);
        for (int slot = firstSlot(scratch); slot != NOT_FOUND; slot = nextSlot(scratch, slot)) {
            copyEntry(scratch, slot, page);
        }
    }

    /** Adds an entry of another page; it fits. */
    static void copyEntry(final Page from, final int slot, final Page to) {
        final int entry = entry(from, slot);
        final int length = storedLength(from, entry);
        final int offset = claim(to, hash(from, entry), length);
        to.buffer().putBytes(offset, from.buffer(), entry, length);
    }

    /** The average length of the entries, or what it may be without any. */
    static int averageEntryLength(final Page page) {
        return page.count() == 0 ? LARGE_ENTRY_LENGTH : page.liveBytes() / page.count();
    }

    /** Whether the entries of two pages fit into one, with room for as many again. */
    static boolean canMerge(final Page page, final Page other) {
        final int bits = Math.max(page.slotBits(), other.slotBits());
        return page.liveBytes() + other.liveBytes() <= capacity(bits) / 2
                && page.count() + other.count() <= maxTouched(bits) / 2;
    }

    /** Whether a page holds so little that it is worth looking for one to merge with. */
    static boolean isSparse(final Page page) {
        return page.liveBytes() < capacity(page.slotBits()) / 4;
    }

    /** Adds a small entry; there is room for it. Returns its slot's offset in the page. */
    static void add(
            final Page page,
            final long hash,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        final UnsafeBuffer buffer = page.buffer();
        final int entry = claim(page, hash, entryLength(keyLength, valueLength));
        buffer.putShort(entry, (short) keyLength);
        buffer.putShort(entry + Short.BYTES, (short) valueLength);
        buffer.putBytes(entry + LENGTHS, key, keyOffset, keyLength);
        buffer.putBytes(entry + LENGTHS + keyLength, value, valueOffset, valueLength);
    }

    /** Adds a large entry; there is room for it. */
    static void addLarge(
            final Page page, final long hash, final int keyLength, final int valueLength, final int firstPage) {
        final UnsafeBuffer buffer = page.buffer();
        final int entry = claim(page, hash, LARGE_ENTRY_LENGTH);
        buffer.putShort(entry, (short) LARGE_KEY);
        buffer.putShort(entry + Short.BYTES, (short) 0);
        buffer.putInt(entry + LENGTHS, firstPage);
        buffer.putLong(entry + LARGE_HASH, hash);
        buffer.putInt(entry + LARGE_KEY_LENGTH, keyLength);
        buffer.putInt(entry + LARGE_VALUE_LENGTH, valueLength);
    }

    /** Gives a large entry other overflow pages. */
    static void changeLarge(final Page page, final int entry, final int valueLength, final int firstPage) {
        page.buffer().putInt(entry + LENGTHS, firstPage);
        page.buffer().putInt(entry + LARGE_VALUE_LENGTH, valueLength);
        page.mark(entry, LARGE_ENTRY_LENGTH);
    }

    /** Changes the value of a small entry if the new one fits into its place. */
    static boolean replace(
            final Page page, final int entry, final DirectBuffer value, final int valueOffset, final int valueLength) {
        final int keyLength = page.getShort(entry) & LANE_MASK;
        final int oldLength = page.getShort(entry + Short.BYTES) & LANE_MASK;
        final int at = entry + LENGTHS + keyLength;
        if (oldLength == valueLength) {
            if (valueLength > 0) {
                page.putBytes(at, value, valueOffset, valueLength);
                page.mark(at, valueLength);
            }
            return true;
        }
        final int oldStored = entryLength(keyLength, oldLength);
        final int stored = entryLength(keyLength, valueLength);
        if (stored > oldStored) {
            return false;
        }
        page.putShort(entry + Short.BYTES, (short) valueLength);
        page.putBytes(at, value, valueOffset, valueLength);
        page.mark(entry, LENGTHS + keyLength + valueLength);
        if (stored != oldStored) {
            page.liveBytes(page.liveBytes() - oldStored + stored);
            page.markHeader();
        }
        return true;
    }

    /** Takes an entry out. */
    static void remove(final Page page, final int slot) {
        final UnsafeBuffer buffer = page.buffer();
        final int length = storedLength(page, entry(page, slot));
        final int group = SLOTS + (((slot - SLOTS) >> GROUP_SHIFT) << GROUP_SHIFT);
        final long slots = buffer.getLong(group);
        // A lookup ends at a group with an empty slot, so nothing was ever put behind this one for want of room in it.
        if (((slots - LANES) & ~slots & LANE_SIGNS) != 0) {
            buffer.putShort(slot, (short) 0);
            page.touchedSlots(page.touchedSlots() - 1);
        } else {
            buffer.putShort(slot, (short) REMOVED);
        }
        page.count(page.count() - 1);
        page.liveBytes(page.liveBytes() - length);
        page.mark(slot, SLOT_LENGTH);
        page.markHeader();
    }

    private static int claim(final Page page, final long hash, final int length) {
        final UnsafeBuffer buffer = page.buffer();
        final int entry = page.freeStart();
        assert hasRoom(page, length) : "an entry of " + length + " bytes does not fit";
        final int slot = freeSlot(page, hash);
        if (buffer.getShort(slot) == 0) {
            page.touchedSlots(page.touchedSlots() + 1);
        }
        buffer.putShort(slot, (short) (((hash & TAG_MASK) << TAG_SHIFT) | (entry >> OFFSET_SHIFT)));
        page.freeStart(entry + length);
        page.count(page.count() + 1);
        page.liveBytes(page.liveBytes() + length);
        page.mark(slot, SLOT_LENGTH);
        page.mark(entry, length);
        page.markHeader();
        return entry;
    }

    private static int freeSlot(final Page page, final long hash) {
        final UnsafeBuffer buffer = page.buffer();
        final int groupMask = (1 << (page.slotBits() - 2)) - 1;
        int group = (int) (hash >>> TAG_BITS) & groupMask;
        while (true) {
            final int at = SLOTS + (group << GROUP_SHIFT);
            for (int slot = at; slot < at + (1 << GROUP_SHIFT); slot += SLOT_LENGTH) {
                if ((buffer.getShort(slot) & LANE_MASK) <= REMOVED) {
                    return slot;
                }
            }
            group = (group + 1) & groupMask;
        }
    }

    /** The first slot with an entry, or {@link #NOT_FOUND}. */
    static int firstSlot(final Page page) {
        return nextSlot(page, SLOTS - SLOT_LENGTH);
    }

    /** The next slot with an entry, or {@link #NOT_FOUND}. */
    static int nextSlot(final Page page, final int after) {
        final int end = SLOTS + (SLOT_LENGTH << page.slotBits());
        for (int slot = after + SLOT_LENGTH; slot < end; slot += SLOT_LENGTH) {
            if ((page.getShort(slot) & LANE_MASK) > REMOVED) {
                return slot;
            }
        }
        return NOT_FOUND;
    }

    /** Compares the keys of large entries. */
    interface LargeKeys {
        /** Whether the overflow pages from {@code firstPage} on begin with a key. */
        boolean isKey(int firstPage, DirectBuffer key, int offset, int length);
    }
}
