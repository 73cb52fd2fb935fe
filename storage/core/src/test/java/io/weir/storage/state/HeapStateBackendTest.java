package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.snapshot.SegmentHandle;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapStateBackendTest extends StateBackendContract {
    @Override
    protected StateBackend backend() {
        return new HeapStateBackend();
    }

    @Test
    void shouldRefuseSegmentsOfAnotherBackend() {
        final SegmentHandle foreign = new SegmentHandle("shared/7-count-0-base.pages", 100, 1, 1);
        try (KeyedStateStore store = backend().open(new StoreContext(16, 0, 16, new StateSegments().shared()))) {
            final StateException e =
                    assertThrows(StateException.class, () -> store.restoreShared(List.of(foreign), 0, 16));

            assertTrue(e.getMessage().contains("state backend heap"), e::getMessage);
            assertTrue(e.getMessage().contains("shared/7-count-0-base.pages"), e::getMessage);
            assertTrue(e.getMessage().contains("run the job with that one"), e::getMessage);
            assertEquals(0, store.entryCount());
        }
    }
}
