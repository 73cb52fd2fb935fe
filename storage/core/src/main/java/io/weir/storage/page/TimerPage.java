package io.weir.storage.page;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A run of timers in order of time and key: slots from the front, in order, entries from the back.
 *
 * <pre>
 *   header | slots, 2 bytes each: offset of the entry | free | ... entry | entry
 *
 *   entry: 0      8            10      16
 *          +------+------------+-------+-----+---------+
 *          | time | key length | zero  | key | padding |                    padded to 8 bytes
 *          +------+------------+-------+-----+---------+
 *
 *   large: 0      8            10      16           20           24
 *          +------+------------+-------+------------+------------+
 *          | time |   0x8000   | zero  | first page | key length |           key in {@link OverflowPages}
 *          +------+------------+-------+------------+------------+
 * </pre>
 */
final class TimerPage {
    /** The longest key in a page; longer ones go to overflow pages. */
    static final int MAX_KEY_LENGTH = 992;

    static final int KEY = 16;
    static final int LARGE_LENGTH = 24;

    private static final int SLOTS = Page.HEADER_LENGTH;
    private static final int SLOT_LENGTH = Short.BYTES;
    private static final int KEY_LENGTH = 8;

    private static final int LARGE_KEY = 0x8000;
    private static final int LARGE_KEY_LENGTH = 20;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int ALIGNMENT_MASK = 7;

    /** The most timers in a page. */
    static final int MAX_COUNT = (Page.LENGTH - SLOTS) / (SLOT_LENGTH + KEY);

    private TimerPage() {}

    /** Behind the last slot. */
    static int endOfSlots(final int count) {
        return SLOTS + count * SLOT_LENGTH;
    }

    static void init(final Page page) {
        page.init(Page.TIMERS);
        page.freeStart(Page.LENGTH);
    }

    static int entryLength(final int keyLength) {
        return keyLength > MAX_KEY_LENGTH ? LARGE_LENGTH : (KEY + keyLength + ALIGNMENT_MASK) & ~ALIGNMENT_MASK;
    }

    static int entry(final Page page, final int index) {
        return page.buffer().getShort(SLOTS + index * SLOT_LENGTH) & SHORT_MASK;
    }

    static long time(final Page page, final int entry) {
        return page.buffer().getLong(entry);
    }

    static boolean isLarge(final Page page, final int entry) {
        return (page.buffer().getShort(entry + KEY_LENGTH) & SHORT_MASK) == LARGE_KEY;
    }

    static int keyLength(final Page page, final int entry) {
        return isLarge(page, entry)
                ? page.buffer().getInt(entry + LARGE_KEY_LENGTH)
                : page.buffer().getShort(entry + KEY_LENGTH) & SHORT_MASK;
    }

    static int keyOffset(final int entry) {
        return entry + KEY;
    }

    static int firstOverflowPage(final Page page, final int entry) {
        return page.buffer().getInt(entry + KEY);
    }

    static int storedLength(final Page page, final int entry) {
        return isLarge(page, entry) ? LARGE_LENGTH : entryLength(keyLength(page, entry));
    }

    static boolean hasRoom(final Page page, final int length) {
        return SLOTS + (page.count() + 1) * SLOT_LENGTH + length <= page.freeStart();
    }

    /** Whether there is room once what was removed is gone. */
    static boolean hasRoomIfRebuilt(final Page page, final int length) {
        final int needed = (page.count() + 1) * SLOT_LENGTH + page.liveBytes() + length;
        return needed <= (Page.LENGTH - SLOTS) / 8 * 7;
    }

    static boolean isSparse(final Page page) {
        return page.count() * SLOT_LENGTH + page.liveBytes() < (Page.LENGTH - SLOTS) / 4;
    }

    static boolean canMerge(final Page page, final Page other) {
        return (page.count() + other.count()) * SLOT_LENGTH + page.liveBytes() + other.liveBytes()
                <= (Page.LENGTH - SLOTS) / 2;
    }

    /** Puts a timer before the one at an index; there is room. Returns the new entry. */
    static int add(final Page page, final int index, final long time, final int length) {
        final UnsafeBuffer buffer = page.buffer();
        assert hasRoom(page, length) : "a timer of " + length + " bytes does not fit";
        final int entry = page.freeStart() - length;
        final int slot = SLOTS + index * SLOT_LENGTH;
        final int moved = (page.count() - index) * SLOT_LENGTH;
        buffer.putBytes(slot + SLOT_LENGTH, buffer, slot, moved);
        buffer.putShort(slot, (short) entry);
        buffer.putLong(entry, time);
        buffer.putLong(entry + KEY_LENGTH, 0);
        page.freeStart(entry);
        page.count(page.count() + 1);
        page.liveBytes(page.liveBytes() + length);
        if (index == 0) {
            page.firstTime(time);
        }
        page.mark(slot, SLOT_LENGTH + moved);
        page.mark(entry, length);
        page.markHeader();
        return entry;
    }

    static void key(
            final Page page, final int entry, final DirectBuffer key, final int keyOffset, final int keyLength) {
        page.buffer().putShort(entry + KEY_LENGTH, (short) keyLength);
        page.buffer().putBytes(entry + KEY, key, keyOffset, keyLength);
    }

    static void largeKey(final Page page, final int entry, final int firstPage, final int keyLength) {
        page.buffer().putShort(entry + KEY_LENGTH, (short) LARGE_KEY);
        page.buffer().putInt(entry + KEY, firstPage);
        page.buffer().putInt(entry + LARGE_KEY_LENGTH, keyLength);
    }

    /** Takes the timer at an index out. */
    static void remove(final Page page, final int index) {
        final UnsafeBuffer buffer = page.buffer();
        final int length = storedLength(page, entry(page, index));
        final int slot = SLOTS + index * SLOT_LENGTH;
        final int moved = (page.count() - index - 1) * SLOT_LENGTH;
        buffer.putBytes(slot, buffer, slot + SLOT_LENGTH, moved);
        page.count(page.count() - 1);
        page.liveBytes(page.liveBytes() - length);
        if (index == 0 && page.count() > 0) {
            page.firstTime(time(page, entry(page, 0)));
        }
        page.mark(slot, SLOT_LENGTH + moved);
        page.markHeader();
    }

    /** Adds a run of timers of another page behind those of a page; they fit. */
    static void append(final Page from, final int first, final int end, final Page to) {
        for (int index = first; index < end; index++) {
            final int entry = entry(from, index);
            final int length = storedLength(from, entry);
            final int added = add(to, to.count(), time(from, entry), length);
            to.buffer().putBytes(added, from.buffer(), entry, length);
        }
    }
}
