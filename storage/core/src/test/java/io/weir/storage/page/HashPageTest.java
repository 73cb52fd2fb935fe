package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class HashPageTest {
    private static Page page() {
        return new Page().wrap(new UnsafeBuffer(new byte[Page.LENGTH]));
    }

    @Test
    void shouldLayOutAHalfThatTakesAllEntriesOfAFullPage() {
        // given a page laid out for longer entries than it has, without a slot left
        final Page full = page();
        HashPage.init(full, 40, 0, 0);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[20]);
        int entries = 0;
        while (HashPage.hasRoom(full, HashPage.entryLength(8, 20))) {
            key.putLong(0, entries++);
            HashPage.add(full, KeyBytes.hash(key, 0, 8), key, 0, 8, value, 0, 20);
        }
        assertEquals(112, entries);
        assertFalse(HashPage.hasRoomIfRebuilt(full, HashPage.entryLength(8, 20)));

        // when all of them go to one side
        final Page half = page();
        HashPage.initHalf(half, full, 0, 1);
        for (int slot = HashPage.firstSlot(full); slot != HashPage.NOT_FOUND; slot = HashPage.nextSlot(full, slot)) {
            HashPage.copyEntry(full, slot, half);
        }

        // then
        assertEquals(entries, half.count());
        assertEquals(full.liveBytes(), half.liveBytes());
    }
}
