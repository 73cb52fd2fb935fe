package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a task asks for every record and in every duty cycle allocates nothing, also while a checkpoint is open. */
class BarrierAllocationTest {
    private static final int RECORDS = 200_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long sum;

    @Test
    void shouldAllocateNothingPerRecord() {
        BarrierHandler capturing = BarrierSettings.unaligned(0).handler(BarrierChannels.of(2, 1));
        capturing.onBarrier(0, 1, 0, BarrierOptions.UNALIGNED, 1);
        capturing.onSnapshotTaken(1, channel -> 64, 0, 1);
        BarrierHandler waiting = BarrierSettings.unaligned(50).handler(BarrierChannels.of(2, 1));
        waiting.onBarrier(0, 1, 0, BarrierOptions.ALIGNED_WITH_TIMEOUT, 1);
        BarrierHandler closing = BarrierSettings.unaligned(50).handler(BarrierChannels.of(2, 1));
        closing.onBarrier(0, 1, 0, BarrierOptions.ALIGNED_WITH_TIMEOUT, 1);
        closing.onBarrier(1, 1, 0, BarrierOptions.ALIGNED_WITH_TIMEOUT, 1);
        closing.onSnapshotTaken(1, channel -> 64, 0, 1);
        BarrierHandler counting = BarrierSettings.atLeastOnce().handler(BarrierChannels.of(2, 0));
        counting.onBarrier(0, 1, 0, 0, 1);

        for (BarrierHandler handler : new BarrierHandler[] {capturing, waiting, closing, counting}) {
            assertAllocatesNothing(handler);
        }
    }

    private void assertAllocatesNothing(BarrierHandler handler) {
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        // The first rounds warm up; a round that the JIT compiler disturbed does not count against us.
        for (int round = 0; round < 5 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < RECORDS; i++) {
                handler.onProcessed(8);
                sum += handler.readLimit(1) + handler.deadlineNs() + (handler.isBlocked(1) ? 1 : 0);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        long allocated = least;
        // Asking for the number allocates a little itself.
        assertTrue(allocated < 1_000, () -> handler.state() + ": " + allocated + " bytes, sum " + sum);
    }
}
