package io.weir.storage.page;

import io.weir.storage.snapshot.CorruptionException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Looks once at a page that comes from a checkpoint, whether what is in it holds together, so that nobody who follows its
 * offsets later leaves the page or goes round in it. The bytes are those that were written: their checksum says so; this is
 * for what was written wrongly. Hashes of keys are not computed. Task thread.
 */
final class PageCheck {
    private static final int UNIT_SHIFT = 3;
    private static final int UNITS = Page.LENGTH >> UNIT_SHIFT;

    private final long[] used = new long[UNITS / Long.SIZE];
    private Page page;
    private int endNumber;
    private String table;

    /**
     * Checks a page.
     *
     * @param checked page.
     * @param end behind the largest page number of its group.
     * @param ofTable name of its table, for the error.
     * @throws CorruptionException if it does not hold together.
     */
    void check(final Page checked, final int end, final String ofTable) {
        page = checked;
        endNumber = end;
        table = ofTable;
        switch (page.kind()) {
            case Page.HASH -> checkHash();
            case Page.OVERFLOW -> checkOverflow();
            case Page.TIMERS -> checkTimers();
            default -> throw damaged("a kind in [1, 3]", "" + page.kind());
        }
    }

    private void checkHash() {
        final int bits = page.slotBits();
        range("slot bits", HashPage.MIN_SLOT_BITS, HashPage.MAX_SLOT_BITS, bits);
        range("depth", 0, HashDirectory.MAX_DEPTH, page.depth());
        range("next page", Page.NO_PAGE, endNumber - 1, page.next());
        final int entries = HashPage.endOfSlots(bits);
        final int end = page.freeStart();
        range("free offset", entries, Page.LENGTH, end);
        aligned(end);
        Arrays.fill(used, 0);
        final UnsafeBuffer buffer = page.buffer();
        int count = 0;
        int live = 0;
        int touched = 0;
        for (int slot = HashPage.SLOTS; slot < entries; slot += HashPage.SLOT_LENGTH) {
            if (buffer.getShort(slot) == 0) {
                continue;
            }
            touched++;
            final int entry = HashPage.entry(page, slot);
            if (entry >> UNIT_SHIFT > HashPage.REMOVED) {
                range("entry offset", entries, end - HashPage.LENGTHS, entry);
                final int length = hashEntryLength(entry, end);
                claim(entry, length);
                live += length;
                count++;
            }
        }
        same("entries", count, page.count());
        same("touched slots", touched, page.touchedSlots());
        same("live bytes", live, page.liveBytes());
    }

    private int hashEntryLength(final int entry, final int end) {
        if (HashPage.isLarge(page, entry)) {
            range("end of an entry", 0, end, entry + HashPage.LARGE_ENTRY_LENGTH);
            checkLarge(
                    HashPage.firstOverflowPage(page, entry),
                    HashPage.keyLength(page, entry),
                    HashPage.valueLength(page, entry));
            return HashPage.LARGE_ENTRY_LENGTH;
        }
        final int length = HashPage.storedLength(page, entry);
        range("end of an entry", 0, end, entry + length);
        return length;
    }

    private void checkLarge(final int firstPage, final int keyLength, final int valueLength) {
        range("overflow page", 0, endNumber - 1, firstPage);
        final long capacity = (long) endNumber * OverflowPages.CAPACITY;
        if (keyLength < 0 || valueLength < 0 || (long) keyLength + valueLength > capacity) {
            throw damaged("lengths of an entry in " + endNumber + " pages", keyLength + " + " + valueLength);
        }
    }

    private void checkOverflow() {
        range("next page", Page.NO_PAGE, endNumber - 1, page.next());
        final boolean isLast = page.next() == Page.NO_PAGE;
        range("payload length", isLast ? 1 : OverflowPages.CAPACITY, OverflowPages.CAPACITY, page.payloadLength());
    }

    private void checkTimers() {
        final int count = page.count();
        range("timers", 1, TimerPage.MAX_COUNT, count);
        final int start = page.freeStart();
        range("free offset", TimerPage.endOfSlots(count), Page.LENGTH, start);
        aligned(start);
        Arrays.fill(used, 0);
        int live = 0;
        long last = page.firstTime();
        for (int index = 0; index < count; index++) {
            final int entry = TimerPage.entry(page, index);
            range("timer offset", start, Page.LENGTH - TimerPage.KEY, entry);
            final int length = timerLength(entry);
            claim(entry, length);
            live += length;
            final long time = TimerPage.time(page, entry);
            if (index == 0 ? time != last : time < last) {
                throw damaged("a timer " + (index == 0 ? "at " : "from ") + last, "" + time);
            }
            last = time;
        }
        same("live bytes", live, page.liveBytes());
    }

    private int timerLength(final int entry) {
        if (TimerPage.isLarge(page, entry)) {
            range("end of a timer", 0, Page.LENGTH, entry + TimerPage.LARGE_LENGTH);
            checkLarge(TimerPage.firstOverflowPage(page, entry), TimerPage.keyLength(page, entry), 0);
            return TimerPage.LARGE_LENGTH;
        }
        range("key length of a timer", 0, TimerPage.MAX_KEY_LENGTH, TimerPage.keyLength(page, entry));
        final int length = TimerPage.storedLength(page, entry);
        range("end of a timer", 0, Page.LENGTH, entry + length);
        return length;
    }

    /** No two entries share bytes. */
    private void claim(final int entry, final int length) {
        aligned(entry);
        for (int unit = entry >> UNIT_SHIFT; unit < (entry + length) >> UNIT_SHIFT; unit++) {
            final long bit = 1L << unit;
            if ((used[unit >> 6] & bit) != 0) {
                throw damaged("entries apart", "two at offset " + (unit << UNIT_SHIFT));
            }
            used[unit >> 6] |= bit;
        }
    }

    private void aligned(final int offset) {
        if ((offset & ((1 << UNIT_SHIFT) - 1)) != 0) {
            throw damaged("an offset that is a multiple of 8", "" + offset);
        }
    }

    private void range(final String what, final int min, final int max, final int found) {
        if (found < min || found > max) {
            throw damaged(what + " in [" + min + ", " + max + "]", "" + found);
        }
    }

    private void same(final String what, final int expected, final int found) {
        if (expected != found) {
            throw damaged(expected + " " + what, "" + found);
        }
    }

    private CorruptionException damaged(final String expected, final String found) {
        return new CorruptionException(table + ", key group " + page.keyGroup() + ", page " + page.number()
                + ": expected " + expected + ", found " + found);
    }
}
