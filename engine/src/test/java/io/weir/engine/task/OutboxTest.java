package io.weir.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;
import io.weir.transport.OutputChannel;
import io.weir.transport.frame.RecordFlyweight;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryTransport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OutboxTest {
    private static final int MAX_BATCH_LENGTH = 256;
    private static final int MAX_RECORD_LENGTH = 1 << 20;
    private static final Codec<byte[]> BYTES = Codecs.bytes();

    private final MemoryTransport transport = MemoryTransport.launch(new MemoryContext()
            .dataCapacity(4096)
            .maxBatchLength(MAX_BATCH_LENGTH)
            .maxRecordLength(MAX_RECORD_LENGTH));
    private final int dataStreamId = transport.nextStreamId();
    private final int controlStreamId = transport.nextStreamId();
    private final InputGate gate = transport.openGate(1, "down", new int[] {dataStreamId}, controlStreamId);
    private final OutputChannel channel =
            transport.openOutput(1, "up->down", dataStreamId, controlStreamId, 0, transport.bufferLength(1));
    private final Backpressure backpressure = new Backpressure();
    private final Outbox outbox = new Outbox("up->down", 0, channel, backpressure, new SentBarriers());
    private final List<String> received = new ArrayList<>();

    @AfterEach
    void close() {
        outbox.close();
        gate.close();
        transport.close();
    }

    @Test
    void shouldKeepOrderOfRecordsAndEventsUnderBackpressure() {
        // given: a channel that takes 4 KiB, and far more than that to send, in every size and kind
        final long seed = 20260;
        final Random random = new Random(seed);
        final List<String> sent = new ArrayList<>();

        // when
        for (int i = 0; i < 5_000; i++) {
            send(random, i, sent);
            if (random.nextInt(8) == 0) {
                outbox.flush();
            }
            if (random.nextInt(16) == 0) {
                receive(1 + random.nextInt(64));
            }
        }
        for (int i = 0; received.size() < sent.size(); i++) {
            assertTrue(i < 1_000_000, "seed " + seed + ": nothing moves any more");
            outbox.flush();
            receive(1_000);
        }

        // then
        assertEquals(sent, received, "seed " + seed);
    }

    @Test
    void shouldRaiseBackpressureWhenTheChannelBlocks() {
        // given
        assertFalse(backpressure.isBlocked());

        // when
        while (outbox.flush()) {
            outbox.append(BYTES, new byte[200], 1, Long.MIN_VALUE);
        }

        // then: nothing is lost, and it goes on when the receiver has made room
        assertTrue(backpressure.isBlocked());
        assertFalse(outbox.isEmpty());
        while (!outbox.flush() || receive(1_000) > 0) {
            receive(1_000);
        }
        assertTrue(outbox.isEmpty());
    }

    @Test
    void shouldSendFullBatchesBeforeTheEndOfTheCycle() {
        // given
        for (int i = 0; i < 20; i++) {
            outbox.append(BYTES, new byte[32], 1, Long.MIN_VALUE);
        }

        // when: no flush
        final int count = receive(1_000);

        // then: all but the open batch arrived
        assertEquals(15, count);
        assertFalse(backpressure.isBlocked());
    }

    @Test
    void shouldRefuseARecordBeyondTheLimitAndNameIt() {
        // when
        final TaskException e = assertThrows(
                TaskException.class, () -> outbox.append(BYTES, new byte[MAX_RECORD_LENGTH], 1, Long.MIN_VALUE));

        // then
        assertTrue(e.getMessage().contains("maxRecordLength=" + MAX_RECORD_LENGTH), e.getMessage());
        assertTrue(e.isPermanent());
        assertTrue(e.getMessage().contains("up->down"), e.getMessage());
    }

    @Test
    void shouldLeaveARecordThatIsSentByHalfBeforeTheBarrierThatOvertakesTheRest() {
        // given: a part of a long record has left, another record waits
        final byte[] half = new byte[10_000];
        outbox.append(BYTES, half, 1, Long.MIN_VALUE);
        outbox.append(BYTES, new byte[8], 2, Long.MIN_VALUE);
        assertFalse(outbox.flush());

        // when
        final List<Integer> overtaken = new ArrayList<>();
        outbox.overtakingBarrier(
                5, 6, BarrierOptions.UNALIGNED, (output, buffer, offset, length) -> overtaken.add(length));

        // then: where the data before the barrier ends is not known yet
        assertEquals(List.of(RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, 8)), overtaken);
        assertEquals(List.of("announced 5 6 " + BarrierOptions.UNALIGNED), announcements());
        while (!outbox.flush() || receive(1_000) > 0) {
            receive(1_000);
        }
        assertEquals(
                List.of(
                        "record 1 " + Long.MIN_VALUE + " " + Arrays.hashCode(half),
                        "barrier 5 6 " + BarrierOptions.UNALIGNED,
                        "record 2 " + Long.MIN_VALUE + " " + Arrays.hashCode(new byte[8])),
                received);
    }

    @Test
    void shouldAnnounceAPositionAsFixedOnlyWhereNoRecordComesBeforeTheBarrier() {
        // given: nothing unsent, and then a record
        outbox.announcedBarrier(5, 6, BarrierOptions.ALIGNED_WITH_TIMEOUT);
        outbox.flush();
        final long sent = channel.position();
        outbox.append(BYTES, new byte[8], 1, Long.MIN_VALUE);

        // when
        outbox.announcedBarrier(7, 8, BarrierOptions.ALIGNED_WITH_TIMEOUT);
        outbox.overtake(7, 8, BarrierOptions.UNALIGNED, (output, buffer, offset, length) -> {});

        // then
        assertEquals(
                List.of(
                        "announced 5 6 " + BarrierOptions.ALIGNED_WITH_TIMEOUT + " at 0",
                        "announced 7 8 " + BarrierOptions.ALIGNED_WITH_TIMEOUT,
                        "announced 7 8 " + BarrierOptions.UNALIGNED + " at " + sent),
                announcements());
    }

    /** With their position where it is fixed. */
    private List<String> announcements() {
        final List<String> announcements = new ArrayList<>();
        gate.pollControl((channelIndex, checkpointId, triggerTimeNs, options, position) ->
                announcements.add("announced " + checkpointId + " " + triggerTimeNs + " "
                        + BarrierOptions.announced(options)
                        + (BarrierOptions.isPositionFixed(options) ? " at " + position : "")));
        return announcements;
    }

    private void send(final Random random, final int i, final List<String> sent) {
        switch (random.nextInt(12)) {
            case 0 -> {
                outbox.watermark(i);
                sent.add("watermark " + i);
            }
            case 1 -> {
                outbox.barrier(i, i + 1, 3);
                sent.add("barrier " + i + " " + (i + 1) + " 3");
            }
            case 2 -> {
                outbox.cancellation(i);
                sent.add("cancellation " + i);
            }
            default -> {
                final int length = random.nextInt(20) == 0 ? random.nextInt(5_000) : random.nextInt(100);
                final byte[] value = new byte[length];
                random.nextBytes(value);
                final long sourceWatermark = random.nextInt(3) == 0 ? i * 7L : Long.MIN_VALUE;
                outbox.append(BYTES, value, i, sourceWatermark);
                sent.add("record " + i + " " + sourceWatermark + " " + Arrays.hashCode(value));
            }
        }
    }

    private int receive(final int limit) {
        int count = 0;
        for (int n; count < limit && (n = gate.poll(new Recorder(), limit - count)) > 0; ) {
            count += n;
        }
        return count;
    }

    private final class Recorder implements InputHandler {
        @Override
        public boolean onRecord(
                final int channelIndex,
                final long timestampNs,
                final long sourceWatermarkNs,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            final byte[] value = new byte[length];
            buffer.getBytes(offset, value);
            return add("record " + timestampNs + " " + sourceWatermarkNs + " " + Arrays.hashCode(value));
        }

        @Override
        public boolean onWatermark(final int channelIndex, final long watermarkNs) {
            return add("watermark " + watermarkNs);
        }

        @Override
        public boolean onIdle(final int channelIndex) {
            return add("idle");
        }

        @Override
        public boolean onBarrier(
                final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
            return add("barrier " + checkpointId + " " + triggerTimeNs + " " + options);
        }

        @Override
        public boolean onCancellation(final int channelIndex, final long checkpointId) {
            return add("cancellation " + checkpointId);
        }

        @Override
        public boolean onEndOfData(final int channelIndex) {
            return add("end");
        }

        private boolean add(final String what) {
            received.add(what);
            return true;
        }
    }
}
