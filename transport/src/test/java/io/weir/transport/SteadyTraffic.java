package io.weir.transport;

import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Batches of small records over all channels of a task and back out, with events in between, allocating nothing. */
final class SteadyTraffic implements RecordsOnly, ControlHandler {
    private static final int BATCH = 50;

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Feed feed = new Feed();
    private final Task task;
    private final Transport transport;
    private long pumpBytes;
    private long received;
    private long announced;

    SteadyTraffic(final Task task, final Transport transport) {
        this.task = task;
        this.transport = transport;
        for (int i = 0; i < BATCH; i++) {
            feed.add(i, i % 7 == 0 ? i : NO_SOURCE_WATERMARK, 64);
        }
    }

    /** What the thread has allocated, apart from the driver's own turns: those are free only once compiled. */
    long allocatedBytes() {
        return threads.getCurrentThreadAllocatedBytes() - pumpBytes;
    }

    private void pump() {
        final long before = threads.getCurrentThreadAllocatedBytes();
        transport.pump();
        pumpBytes += threads.getCurrentThreadAllocatedBytes() - before;
    }

    void run(final int records) {
        final OutputChannel first = task.output(0);
        final OutputChannel second = task.output(1);
        final InputGate gate = task.gate();
        final long end = received + records;
        long sent = received;
        while (received < end) {
            if (sent < end && feed.offerBatch(first) > 0) {
                sent += BATCH;
            }
            if (sent < end && feed.offerBatch(second) > 0) {
                sent += BATCH;
            }
            first.offerWatermark(sent);
            second.offerBarrier(1, 2, 3);
            second.offerAnnouncement(1, 2, 3, second.position());
            gate.pollControl(this);
            gate.block(0);
            gate.poll(this, 30);
            gate.unblock(0);
            if (gate.poll(this, 200) == 0) {
                pump();
                YieldingIdleStrategy.INSTANCE.idle();
            }
        }
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        received++;
        return (received & 1023) != 0;
    }

    @Override
    public boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        return false;
    }

    @Override
    public void onAnnouncement(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long position) {
        announced++;
    }

    long announced() {
        return announced;
    }
}
