package io.weir.transport.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.OutputChannel;
import io.weir.transport.Recorder;
import io.weir.transport.Task;
import io.weir.transport.TransportException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryLinkTest {
    private final MemoryTransport transport = MemoryTransport.launch(new MemoryContext());
    private final Task task = Task.open(transport, 2);
    private final Recorder recorder = new Recorder();

    @AfterEach
    void close() {
        task.close();
        assertEquals(0, transport.streamCount(), "streams left");
        assertEquals(List.of(), transport.links(), "links left");
        transport.close();
    }

    @Test
    void shouldHoldBackAndLetThroughFrameByFrame() {
        // given
        final MemoryLink link = transport.link(task.streamId(0));
        link.hold();
        task.output(0).offerWatermark(1);
        task.output(0).offerWatermark(2);
        task.output(0).offerWatermark(3);
        task.output(1).offerWatermark(4);
        assertEquals(3, link.waitingFrames());
        assertEquals(1, task.gate().poll(recorder, 10));
        // when
        link.allow(1);
        assertEquals(1, task.gate().poll(recorder, 10));
        link.release();
        assertEquals(2, task.gate().poll(recorder, 10));
        // then
        assertEquals(List.of("1 watermark 4", "0 watermark 1", "0 watermark 2", "0 watermark 3"), recorder.lines());
        assertEquals(0, link.waitingFrames());
    }

    @Test
    void shouldBlockAnOutputWithoutRoom() {
        // given
        final MemoryLink link = transport.link(task.streamId(0));
        link.room(0);
        assertEquals(OutputChannel.BACK_PRESSURED, task.output(0).offerWatermark(1));
        assertTrue(task.output(1).offerWatermark(2) > 0);
        assertTrue(task.output(0).offerAnnouncement(1, 2, 3, 4) > 0);
        // when
        link.room(Integer.MAX_VALUE);
        // then
        assertTrue(task.output(0).offerWatermark(1) > 0);
    }

    @Test
    void shouldDelayTheControlLaneOnItsOwn() {
        // given
        final MemoryLink lane = transport.link(task.controlStreamId());
        lane.hold();
        task.output(0).offerAnnouncement(1, 2, 3, 4);
        task.output(0).offerWatermark(1);
        // when
        assertEquals(0, task.gate().pollControl(recorder));
        assertEquals(1, task.gate().poll(recorder, 10));
        lane.release();
        // then
        assertEquals(1, task.gate().pollControl(recorder));
        assertEquals(List.of("0 watermark 1", "0 announcement 1 at 2 with 3 for 4"), recorder.lines());
    }

    @Test
    void shouldFailTheReceiverOfASeveredLinkOnceItIsEmpty() {
        // given
        final MemoryLink link = transport.link(task.streamId(0));
        task.output(0).offerWatermark(1);
        link.hold();
        link.sever();
        assertEquals(OutputChannel.CLOSED, task.output(0).offerWatermark(2));
        assertEquals(0, task.gate().poll(recorder, 10));
        // when
        link.release();
        // then
        assertThrows(TransportException.class, () -> task.gate().poll(recorder, 10));
        assertEquals(List.of("0 watermark 1"), recorder.lines());
    }

    @Test
    void shouldListTheLinksOfOpenSenders() {
        assertEquals(4, transport.links().size());
        assertEquals("writer 0", transport.links().get(0).name());
        assertEquals(task.streamId(0), transport.links().get(0).streamId());
        assertThrows(IllegalArgumentException.class, () -> transport.link(999));
    }

    @Test
    void shouldTakeAFrameOfAnyLengthWheneverItIsEmpty() {
        // given
        final FrameLog log = new FrameLog(4 * 1024);
        for (int length = 1; length <= 4 * 1024 - 8; length += 7) {
            // when
            final long position = log.claim(length, 4 * 1024);
            // then
            assertTrue(position > 0, "length=" + length);
            final long begin = log.begin(log.head());
            assertEquals(length, log.lengthAt(begin));
            assertEquals(log.offsetAt(begin), log.offset(position, length));
            log.consumeTo(log.end(begin));
            assertEquals(position, log.head());
        }
        assertEquals(0, log.lengthAt(log.begin(log.head())));
    }

    @Test
    void shouldRefuseOptionsOutOfRange() {
        assertThrows(
                IllegalArgumentException.class, () -> MemoryTransport.launch(new MemoryContext().dataCapacity(5_000)));
        assertThrows(
                IllegalArgumentException.class, () -> MemoryTransport.launch(new MemoryContext().controlCapacity(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> MemoryTransport.launch(new MemoryContext().maxBatchLength(40_000)));
        assertThrows(
                IllegalArgumentException.class,
                () -> MemoryTransport.launch(new MemoryContext().maxRecordLength(1_000)));
        assertEquals(
                "MemoryContext{dataCapacity=4096, controlCapacity=16384, maxBatchLength=8192, maxRecordLength=4194304}",
                new MemoryContext().dataCapacity(4096).toString());
    }
}
