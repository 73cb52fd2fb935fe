package io.weir.transport.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.Feed;
import io.weir.transport.Recorder;
import io.weir.transport.TransportException;
import io.weir.transport.frame.AnnouncementFlyweight;
import io.weir.transport.frame.BarrierFlyweight;
import io.weir.transport.frame.DataFlyweight;
import io.weir.transport.frame.EndOfDataFlyweight;
import io.weir.transport.frame.FrameStamp;
import io.weir.transport.frame.WatermarkFlyweight;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FrameGateTest {
    private static final int ATTEMPT = 3;
    private static final int MAX_RECORD_LENGTH = 1024;

    private final FakeStream data = new FakeStream();
    private final FakeStream control = new FakeStream();
    private final List<Object> closed = new ArrayList<>();
    private final Recorder recorder = new Recorder();
    private final FrameGate gate = new FrameGate(
            new GateSettings(ATTEMPT, "join", MAX_RECORD_LENGTH), new FrameStream[] {data}, control, closed::add);
    private final FrameStamp stamp = new FrameStamp(ATTEMPT, 0);

    @Test
    void shouldPutPartsOfARecordTogether() {
        // given
        final FakeStream.Source source = data.join();
        final Feed feed = new Feed().add(4, 500);
        source.add(part(DataFlyweight.BEGIN, feed, 0, 5));
        source.add(part(0, feed, 5, 300));
        source.add(part(DataFlyweight.END, feed, 305, feed.length() - 305));
        source.add(part(DataFlyweight.WHOLE, new Feed().add(5, 3), 0, 24));
        // when
        assertEquals(2, gate.poll(recorder, 10));
        // then
        assertEquals(List.of("0 record 4 of 500", "0 record 5 of 3"), recorder.lines());
    }

    @Test
    void shouldRefusePartsOutOfOrder() {
        final Feed feed = new Feed().add(4, 500);
        assertFault("expected the begin of a record, found a later part of one", part(0, feed, 0, 8));
        assertFault(
                "expected the next part of a record, found the begin of another",
                part(DataFlyweight.BEGIN, feed, 0, 8),
                part(DataFlyweight.BEGIN, feed, 0, 8));
        assertFault(
                "expected the next part of a record, found the begin of another",
                part(DataFlyweight.BEGIN, feed, 0, 8),
                part(DataFlyweight.WHOLE, feed, 0, feed.length()));
        assertFault(
                "expected the next part of a record, found a WATERMARK frame",
                part(DataFlyweight.BEGIN, feed, 0, 8),
                watermark());
    }

    @Test
    void shouldRefuseARecordPastTheLimit() {
        final Feed feed = new Feed().add(4, 2_000);
        assertFault(
                "expected a record of at most 1024 bytes (maxRecordLength), found at least 1030",
                part(DataFlyweight.BEGIN, feed, 0, 1_000),
                part(0, feed, 1_000, 30));
    }

    @Test
    void shouldRefuseARecordThatIsNotAsLongAsItSays() {
        final Feed feed = new Feed().add(4, 500);
        assertFault(
                "found one with a value of 500",
                part(DataFlyweight.BEGIN, feed, 0, 100),
                part(DataFlyweight.END, feed, 100, 100));
        feed.add(5, 40);
        assertFault(
                "expected parts of 520 bytes for a record with a value of 500, found 576",
                part(DataFlyweight.BEGIN, feed, 0, 100),
                part(DataFlyweight.END, feed, 100, feed.length() - 100));
    }

    @Test
    void shouldRefuseFramesOnTheWrongStream() {
        assertFault("found ANNOUNCEMENT of a control stream", announcement(0));
        final FakeStream.Source lane = control.join();
        lane.add(watermark());
        final TransportException e = assertThrows(TransportException.class, () -> gate.pollControl(recorder));
        assertTrue(e.getMessage().contains("the control stream of join at position 0"), e.getMessage());
        assertTrue(e.getMessage().contains("found WATERMARK of a data stream"), e.getMessage());
    }

    @Test
    void shouldRefuseAnAnnouncementOfAChannelThatIsNotThere() {
        control.join().add(announcement(1));
        final TransportException e = assertThrows(TransportException.class, () -> gate.pollControl(recorder));
        assertTrue(e.getMessage().contains("expected a channel index in [0, 1), found 1"), e.getMessage());
    }

    @Test
    void shouldNotReadABatchWhoseMediumHasGone() {
        // given
        final FakeStream.Source source = data.join();
        final Feed feed = new Feed().add(1, 8).add(2, 8);
        source.add(part(DataFlyweight.WHOLE, feed, 0, feed.length()));
        assertEquals(1, gate.poll(recorder, 1));
        // when
        source.leave();
        // then
        assertThrows(TransportException.class, () -> gate.poll(recorder, 1));
        assertEquals(List.of("0 record 1 of 8"), recorder.lines());
    }

    @Test
    void shouldCloseItsStreamsOnceAndTell() {
        gate.close();
        gate.close();
        assertTrue(data.isClosed() && control.isClosed());
        assertEquals(List.of(gate), closed);
        data.join().add(watermark());
        assertEquals(0, gate.poll(recorder, 10));
        assertEquals(0, gate.pollControl(recorder));
    }

    @Test
    void shouldOnlyEverRefuseRandomBytes() {
        for (long seed = 1; seed <= 20_000; seed++) {
            final Random random = new Random(seed);
            final byte[] frame = new byte[random.nextInt(1, 200)];
            random.nextBytes(frame);
            pollForged(seed, List.of(frame));
        }
    }

    @Test
    void shouldOnlyEverRefuseDamagedFrames() {
        for (long seed = 1; seed <= 50_000; seed++) {
            final Random random = new Random(seed);
            final FrameStamp forged = new FrameStamp(ATTEMPT, 0);
            final List<byte[]> frames = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                frames.add(randomFrame(random, forged));
            }
            final byte[] victim = frames.get(random.nextInt(frames.size()));
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                victim[random.nextInt(victim.length)] ^= (byte) (1 << random.nextInt(8));
            }
            pollForged(seed, frames);
        }
    }

    private static void pollForged(final long seed, final List<byte[]> frames) {
        final FakeStream data = new FakeStream();
        final FakeStream control = new FakeStream();
        final FrameGate gate = new FrameGate(
                new GateSettings(ATTEMPT, "join", MAX_RECORD_LENGTH), new FrameStream[] {data}, control, closed -> {});
        final FakeStream.Source source = data.join();
        final FakeStream.Source lane = control.join();
        frames.forEach(source::add);
        frames.forEach(lane::add);
        final AnyBytes handler = new AnyBytes();
        try {
            gate.poll(handler, 1_000);
        } catch (final TransportException e) {
            assertTrue(e.getMessage().startsWith("channel 0 of join at position "), "seed " + seed + ": " + e);
        } catch (final RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
        try {
            gate.pollControl(handler);
        } catch (final TransportException e) {
            assertTrue(e.getMessage().startsWith("the control stream of join at position "), "seed " + seed + ": " + e);
        } catch (final RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static byte[] randomFrame(final Random random, final FrameStamp stamp) {
        final Feed feed = new Feed();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            feed.add(random.nextInt(), random.nextBoolean() ? 7 : Long.MIN_VALUE, random.nextInt(40));
        }
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[512]);
        return switch (random.nextInt(5)) {
            case 0 -> {
                BarrierFlyweight.put(frame, 0, stamp, random.nextLong(), random.nextLong(), random.nextInt());
                yield copy(frame, BarrierFlyweight.LENGTH);
            }
            case 1 -> {
                AnnouncementFlyweight.put(frame, 0, stamp, random.nextLong(), random.nextLong(), 1, random.nextInt(99));
                yield copy(frame, AnnouncementFlyweight.LENGTH);
            }
            case 2 -> {
                EndOfDataFlyweight.put(frame, 0, stamp);
                yield copy(frame, EndOfDataFlyweight.LENGTH);
            }
            default -> {
                final int flags = random.nextBoolean() ? DataFlyweight.WHOLE : random.nextInt(4);
                DataFlyweight.put(frame, 0, stamp, flags, feed.buffer(), 0, feed.length());
                yield copy(frame, DataFlyweight.BODY_OFFSET + feed.length());
            }
        };
    }

    private void assertFault(final String expected, final byte[]... frames) {
        final FakeStream forged = new FakeStream();
        final FakeStream.Source source = forged.join();
        final FrameStamp order = new FrameStamp(ATTEMPT, 0);
        for (final byte[] frame : frames) {
            final UnsafeBuffer sequence = new UnsafeBuffer(new byte[WatermarkFlyweight.LENGTH]);
            WatermarkFlyweight.put(sequence, 0, order, 0);
            System.arraycopy(sequence.byteArray(), 16, frame, 16, 8);
            source.add(frame);
        }
        final FrameGate reader = new FrameGate(
                new GateSettings(ATTEMPT, "join", MAX_RECORD_LENGTH),
                new FrameStream[] {forged},
                new FakeStream(),
                ignored -> {});
        final TransportException e = assertThrows(TransportException.class, () -> reader.poll(recorder, 10));
        assertTrue(e.getMessage().startsWith("channel 0 of join at position "), e.getMessage());
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    private byte[] part(final int flags, final Feed feed, final int offset, final int length) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[DataFlyweight.BODY_OFFSET + length]);
        DataFlyweight.put(frame, 0, stamp, flags, feed.buffer(), offset, length);
        return frame.byteArray();
    }

    private byte[] watermark() {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[WatermarkFlyweight.LENGTH]);
        WatermarkFlyweight.put(frame, 0, stamp, 1);
        return frame.byteArray();
    }

    private static byte[] announcement(final int channelIndex) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[AnnouncementFlyweight.LENGTH]);
        AnnouncementFlyweight.put(frame, 0, new FrameStamp(ATTEMPT, channelIndex), 1, 2, 3, 4);
        return frame.byteArray();
    }

    private static byte[] copy(final UnsafeBuffer frame, final int length) {
        final byte[] bytes = new byte[length];
        frame.getBytes(0, bytes);
        return bytes;
    }
}
