package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.page.CraftedPages.Placed;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.state.KeyedStateStore;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Single faults in pages whose checksums are right: each is named, none is followed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CraftedPagesTest {
    private static void refuses(final String expected, final Predicate<Page> which, final Consumer<Page> craft) {
        // given
        final CraftedPages pages = CraftedPages.read();
        final Page page = pages.pages().stream()
                .map(Placed::page)
                .filter(which)
                .findFirst()
                .orElseThrow();

        // when
        craft.accept(page);

        // then
        try (KeyedStateStore store = pages.restore()) {
            final CorruptionException e =
                    assertThrows(CorruptionException.class, () -> SmallState.answers(store), expected);
            assertTrue(e.getMessage().contains(expected), e.getMessage());
        }
    }

    private static Predicate<Page> kind(final byte kind) {
        return page -> page.kind() == kind;
    }

    private static final Predicate<Page> HASH = kind(Page.HASH);
    private static final Predicate<Page> TIMERS = kind(Page.TIMERS);
    private static final Predicate<Page> HEAD = HASH.and(page -> !page.isChained() && page.next() != Page.NO_PAGE);
    private static final Predicate<Page> OVERFLOW_HEAD = kind(Page.OVERFLOW).and(page -> page.next() != Page.NO_PAGE);

    @Test
    void shouldRefuseAnEntryBehindThePage() {
        refuses("entry offset in", HASH, page -> {
            final int slot = HashPage.firstSlot(page);
            page.buffer().putShort(slot, (short) (page.buffer().getShort(slot) | 0x1FF));
        });
    }

    @Test
    void shouldRefuseTwoEntriesInOnePlace() {
        refuses("entries apart", HASH, page -> {
            final int slot = HashPage.firstSlot(page);
            page.buffer().putShort(HashPage.nextSlot(page, slot), page.buffer().getShort(slot));
        });
    }

    @Test
    void shouldRefuseAWrongCountOfEntries() {
        refuses("entries, found", HASH, page -> page.count(page.count() + 1));
    }

    @Test
    void shouldRefuseWrongLiveBytes() {
        refuses("live bytes, found", HASH, page -> page.liveBytes(page.liveBytes() - 8));
    }

    @Test
    void shouldRefuseAWrongCountOfSlots() {
        refuses("touched slots, found", HASH, page -> page.touchedSlots(0));
    }

    @Test
    void shouldRefuseADepthBeyondTheDirectory() {
        refuses("a depth in [0, 20], found 21", HEAD, page -> page.prefix(page.prefix(), 21));
    }

    @Test
    void shouldRefuseAPrefixThatLeavesAHole() {
        refuses("hash prefix", HEAD, page -> page.prefix(page.prefix(), page.depth() + 3));
    }

    @Test
    void shouldRefuseAChainOfHashPagesThatGoesRound() {
        refuses("chained to page", HASH.and(Page::isChained), page -> page.next(page.number()));
    }

    @Test
    void shouldRefuseAChainedPageWithoutAPlace() {
        refuses("chained pages", HEAD, page -> page.next(Page.NO_PAGE));
    }

    @Test
    void shouldRefuseAChainToAPageThatIsNotThere() {
        refuses("chained to page", HEAD, page -> page.next(1_000_000));
    }

    @Test
    void shouldRefuseAnOverflowPageOfAnotherKind() {
        refuses("of kind 2", OVERFLOW_HEAD, page -> page.next(hashPageNumber()));
    }

    private static int hashPageNumber() {
        final List<Placed> pages = CraftedPages.read().pages();
        return pages.stream()
                .map(Placed::page)
                .filter(HASH)
                .findFirst()
                .orElseThrow()
                .number();
    }

    @Test
    void shouldRefuseAnOverflowPageThatIsNotFull() {
        refuses("payload length", OVERFLOW_HEAD, page -> page.payloadLength(0));
    }

    @Test
    void shouldRefuseAChainOfOverflowPagesThatEndsEarly() {
        refuses("a page -1, found none", OVERFLOW_HEAD, page -> page.next(Page.NO_PAGE));
    }

    @Test
    void shouldRefuseTimersOutOfOrder() {
        refuses("a timer", TIMERS, page -> page.firstTime(page.firstTime() + 1));
    }

    @Test
    void shouldRefuseAPageWithoutTimers() {
        refuses("no timers", TIMERS, page -> page.count(0));
    }

    @Test
    void shouldRefuseMoreTimersThanFit() {
        refuses("timers in [1,", TIMERS, page -> page.count(30_000));
    }

    @Test
    void shouldRefuseAPageOfAnotherNumber() {
        refuses("found page 77", HASH, page -> page.identify(0, page.keyGroup(), 77));
    }

    @Test
    void shouldRefuseToRemoveOverflowPagesThatGoRound() {
        // given an entry whose overflow pages lead back to the first
        final CraftedPages pages = CraftedPages.read();
        final Page first = pages.pages().stream()
                .map(Placed::page)
                .filter(OVERFLOW_HEAD)
                .findFirst()
                .orElseThrow();
        first.next(first.number());

        // when, then
        try (KeyedStateStore store = pages.restore()) {
            assertThrows(CorruptionException.class, () -> {
                for (int i = 0; i < 100; i++) {
                    store.valueTable(SmallState.VALUES)
                            .remove(
                                    i % SmallState.KEY_GROUPS,
                                    SmallState.key(i),
                                    0,
                                    SmallState.key(i).capacity());
                }
            });
        }
    }
}
