package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.frame.OffHeapSlabs;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A page is written in the very moment in which its snapshot becomes durable. */
final class DurabilityRaceTest {
    private static final int CUTS = 200_000;

    @Test
    void shouldWriteWhileASnapshotBecomesDurable() throws InterruptedException {
        final AtomicReference<FrozenPages> handedOver = new AtomicReference<>();
        final Thread flusher = new Thread(() -> {
            for (int i = 0; i < CUTS; i++) {
                FrozenPages frozen = handedOver.getAndSet(null);
                while (frozen == null && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                    frozen = handedOver.getAndSet(null);
                }
                if (frozen == null) {
                    return;
                }
                frozen.durable();
                frozen.close();
            }
        });
        flusher.start();
        try (PageStore store = new PageStore(new OffHeapSlabs(), 0)) {
            final PageGroup[] groups = new PageGroup[1];
            final int table = store.addTable(new TableName("value/state", ""), groups);
            groups[0] = new PageGroup(store, table, 0);
            final Page page = new Page();
            final int number = groups[0].allocate(page);
            HashPage.init(page, 24, 0, 0);
            for (int i = 0; i < CUTS; i++) {
                final FrozenPages frozen = store.freeze();
                while (!handedOver.compareAndSet(null, frozen)) {
                    Thread.onSpinWait();
                }
                for (int spins = i & 63; spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                groups[0].read(number, page);
                groups[0].write(number, page);
            }
            flusher.join();
            while (store.snapshotsInFlight() > 0) {
                store.doWork();
            }
            assertEquals(1, store.slabs().used(), "frames of one page");
            assertTrue(store.slabs().total() < 1000, () -> store.slabs().total() + " frames were ever in use");
        } finally {
            flusher.interrupt();
        }
    }
}
