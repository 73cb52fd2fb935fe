package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every transport does. One thread plays the upstream tasks, the downstream task and the workers' pumping. */
public abstract class TransportContract {
    protected Transport transport;
    protected final Feed feed = new Feed();
    protected final Recorder recorder = new Recorder();

    /** Opens a transport with small buffers. */
    protected abstract Transport openTransport();

    @BeforeEach
    void open() {
        transport = openTransport();
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void shouldDeliverRecordsAndEventsInOrder() {
        try (Task task = Task.open(transport, 1)) {
            // given
            final OutputChannel output = task.output(0);
            task.send(() -> feed.clear().add(1, 5).add(2, 0).add(3, 64).offerBatch(output));
            task.send(() -> output.offerWatermark(3));
            task.send(() -> feed.clear().add(4, 17, 9).offerBatch(output));
            task.send(() -> output.offerBarrier(7, 123_456_789_012L, 0x80000001));
            task.send(() -> output.offerCancellation(8));
            task.send(output::offerIdle);
            task.send(output::offerEndOfData);
            // when
            task.receive(recorder, 9);
            // then
            assertEquals(
                    List.of(
                            "0 record 1 of 5",
                            "0 record 2 of 0",
                            "0 record 3 of 64",
                            "0 watermark 3",
                            "0 record 4 of 9 behind 17",
                            "0 barrier 7 at 123456789012 with -2147483647",
                            "0 cancellation 8",
                            "0 idle",
                            "0 end"),
                    recorder.lines());
            assertEquals(0, task.gate().poll(recorder, 10));
        }
    }

    @Test
    void shouldHoldOffersUntilTheReceiverJoinsAndMissNothing() {
        try (Task task = Task.unopened(transport, 1)) {
            // given
            final OutputChannel output = task.openOutput(0);
            feed.add(1, 8);
            for (int i = 0; i < 100; i++) {
                transport.pump();
                assertEquals(OutputChannel.BACK_PRESSURED, feed.offerBatch(output));
                assertEquals(OutputChannel.BACK_PRESSURED, output.offerAnnouncement(1, 2, 3, 4));
            }
            // when
            task.openGate();
            task.send(() -> feed.offerBatch(output));
            task.receive(recorder, 1);
            // then
            assertEquals(List.of("0 record 1 of 8"), recorder.lines());
        }
    }

    @Test
    void shouldStopBetweenTwoRecordsInsideABatch() {
        try (Task task = Task.open(transport, 1)) {
            // given
            task.send(() -> feed.clear().add(1, 8).add(2, 8).add(3, 8).add(4, 8).offerBatch(task.output(0)));
            task.await("the first record", () -> task.gate().poll(recorder, 1) == 1);
            final long position = task.gate().position(0);
            assertEquals(List.of("0 record 1 of 8"), recorder.take());
            // when
            recorder.stopAfter(2);
            assertEquals(2, task.gate().poll(recorder, 10));
            // then
            assertEquals(List.of("0 record 2 of 8", "0 record 3 of 8"), recorder.take());
            assertEquals(position, task.gate().position(0), "the cursor's frame");
            recorder.stopAfter(Integer.MAX_VALUE);
            assertEquals(1, task.gate().poll(recorder, 10));
            assertEquals(List.of("0 record 4 of 8"), recorder.take());
            assertEquals(task.output(0).position(), task.gate().position(0));
        }
    }

    @Test
    void shouldKeepABlockedChannelAtItsCursor() {
        try (Task task = Task.open(transport, 2)) {
            // given
            task.send(() -> feed.clear().add(1, 8).add(2, 8).offerBatch(task.output(0)));
            task.send(() -> feed.clear().add(3, 8).add(4, 8).offerBatch(task.output(1)));
            task.await("one record of channel 0", () -> {
                task.gate().block(1);
                return task.gate().poll(recorder, 1) == 1;
            });
            task.gate().block(0);
            task.gate().block(0);
            task.gate().unblock(1);
            // when
            task.receive(recorder, 3);
            // then
            assertEquals(List.of("0 record 1 of 8", "1 record 3 of 8", "1 record 4 of 8"), recorder.take());
            assertEquals(0, task.gate().poll(recorder, 10));
            task.gate().unblock(0);
            task.gate().unblock(0);
            assertEquals(1, task.gate().poll(recorder, 10));
            assertEquals(List.of("0 record 2 of 8"), recorder.take());
        }
    }

    @Test
    void shouldNotReadOnWhenTheHandlerBlocksItsChannel() {
        try (Task task = Task.open(transport, 1)) {
            // given
            task.send(() -> feed.clear().add(1, 8).add(2, 8).offerBatch(task.output(0)));
            recorder.beforeReturn(() -> task.gate().block(0));
            // when
            task.receive(recorder, 1);
            // then
            assertEquals(0, task.gate().poll(recorder, 10));
            assertEquals(List.of("0 record 1 of 8"), recorder.lines());
        }
    }

    @Test
    void shouldReportBackPressureAndResume() {
        try (Task task = Task.open(transport, 1)) {
            for (int round = 0; round < 3; round++) {
                // given
                final int sent = fill(task, 0);
                assertTrue(sent > 1, "frames sent: " + sent);
                assertEquals(OutputChannel.BACK_PRESSURED, feed.offerBatch(task.output(0)));
                final long position = task.output(0).position();
                // when
                task.receive(recorder, sent);
                // then
                assertEquals(sent, recorder.take().size());
                assertTrue(
                        task.gate().position(0) >= position,
                        "position=" + task.gate().position(0));
                task.send(() -> task.output(0).offerWatermark(1));
                task.receive(recorder, 1);
                assertEquals(List.of("0 watermark 1"), recorder.take());
            }
        }
    }

    @Test
    void shouldOvertakeDataUnderTotalBackPressure() {
        try (Task task = Task.open(transport, 2)) {
            // given
            fill(task, 0);
            fill(task, 1);
            // when
            task.send(() -> task.output(1).offerAnnouncement(5, 6, 7, 8));
            task.send(() -> task.output(0).offerAnnouncement(5, 6, 7, 9));
            task.await("both announcements", () -> {
                task.gate().pollControl(recorder);
                return recorder.lines().size() == 2;
            });
            // then
            assertEquals(
                    Set.of("1 announcement 5 at 6 with 7 for 8", "0 announcement 5 at 6 with 7 for 9"),
                    Set.copyOf(recorder.lines()));
            assertEquals(0, task.gate().pollControl(recorder));
        }
    }

    @Test
    void shouldCarryManyAnnouncements() {
        try (Task task = Task.open(transport, 1)) {
            for (int i = 0; i < 5_000; i++) {
                final int id = i;
                task.send(() -> task.output(0).offerAnnouncement(id, 6, 7, 8), recorder);
            }
            task.await("all announcements", () -> {
                task.gate().pollControl(recorder);
                return recorder.lines().size() == 5_000;
            });
            assertEquals(
                    "0 announcement 4999 at 6 with 7 for 8", recorder.lines().get(4_999));
        }
    }

    @Test
    void shouldCarryRecordsOfEverySizeAroundTheLimits() {
        try (Task task = Task.open(transport, 1)) {
            // given
            final RecordSender sender = new RecordSender(task, recorder);
            final int batch = task.output(0).maxBatchLength();
            final int record = task.output(0).maxRecordLength();
            assertTrue(record >= 1024 * 1024, "maxRecordLength=" + record);
            final List<Integer> lengths = new ArrayList<>();
            for (final int edge : new int[] {16, batch, 2 * batch, 5 * batch, 1024 * 1024}) {
                for (int length = edge - 34; length <= edge + 10; length++) {
                    lengths.add(Math.max(0, length));
                }
            }
            lengths.add(record - 16);
            // when
            for (final int length : lengths) {
                sender.send(length);
            }
            sender.finish();
            // then
            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < lengths.size(); i++) {
                expected.add(Recorder.record(0, i, lengths.get(i)));
            }
            assertEquals(expected, recorder.lines());
        }
    }

    @Test
    void shouldRefuseARecordPastTheLimitAndNameTheLimit() {
        try (Task task = Task.open(transport, 1)) {
            // given
            final OutputChannel output = task.output(0);
            feed.add(1, output.maxRecordLength() - 15);
            // when
            final TransportException e = assertThrows(
                    TransportException.class,
                    () -> output.offerFragment(OutputChannel.BEGIN_RECORD, feed.buffer(), 0, output.maxBatchLength()));
            // then
            assertTrue(e.getMessage().contains("maxRecordLength"), e.getMessage());
            assertTrue(e.getMessage().contains("writer 0"), e.getMessage());
            task.send(() -> feed.clear().add(2, 8).offerBatch(output));
            task.receive(recorder, 1);
            assertEquals(List.of("0 record 2 of 8"), recorder.lines());
        }
    }

    @Test
    void shouldRefuseMalformedOffers() {
        try (Task task = Task.open(transport, 1)) {
            final OutputChannel output = task.output(0);
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[output.maxBatchLength() + 8]);
            for (final int length : new int[] {-8, 0, 4, output.maxBatchLength() + 8}) {
                assertThrows(IllegalArgumentException.class, () -> output.offerBatch(buffer, 0, length));
            }
            assertThrows(IllegalArgumentException.class, () -> output.offerFragment(4, buffer, 0, 8));
            assertThrows(IllegalArgumentException.class, () -> output.offerFragment(0, buffer, 0, 8));
            task.send(() -> output.offerFragment(OutputChannel.BEGIN_RECORD, buffer, 0, 8));
            assertThrows(IllegalArgumentException.class, () -> output.offerBatch(buffer, 0, 8));
            assertThrows(IllegalArgumentException.class, () -> output.offerWatermark(1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> output.offerFragment(OutputChannel.BEGIN_RECORD, buffer, 0, 8));
        }
    }

    @Test
    void shouldServeChannelsFairly() {
        try (Task task = Task.open(transport, 3)) {
            // given: channel 0 always has more than one poll takes
            for (int i = 0; i < 3; i++) {
                final int channelIndex = i;
                feed.clear();
                for (int n = 0; n < 8; n++) {
                    feed.add(n, 8);
                }
                for (int batch = 0; batch < 4; batch++) {
                    task.send(() -> feed.offerBatch(task.output(channelIndex)));
                }
            }
            task.await("data on all channels", () -> {
                final Set<Character> seen = new HashSet<>();
                task.gate().poll(recorder, 1);
                recorder.lines().forEach(line -> seen.add(line.charAt(0)));
                return seen.size() == 3;
            });
            recorder.take();
            // when
            for (int i = 0; i < 30; i++) {
                assertEquals(1, task.gate().poll(recorder, 1));
            }
            // then
            for (int i = 0; i < 3; i++) {
                final String prefix = i + " ";
                final long count = recorder.lines().stream()
                        .filter(line -> line.startsWith(prefix))
                        .count();
                assertEquals(10, count, "records of channel " + i);
            }
        }
    }

    @Test
    void shouldDropFramesOfAnotherAttempt() {
        try (Task task = Task.open(transport, 1);
                OutputChannel older = task.openOutput(0, 0, 0)) {
            // given
            task.send(() -> feed.clear().add(1, 8).offerBatch(older));
            task.send(() -> older.offerAnnouncement(1, 1, 1, 1));
            task.send(older::offerEndOfData);
            task.send(() -> feed.clear().add(2, 8).offerBatch(task.output(0)));
            task.send(() -> task.output(0).offerAnnouncement(2, 2, 2, 2));
            // when
            task.await("the dropped frames", () -> {
                task.gate().poll(recorder, 10);
                task.gate().pollControl(recorder);
                return task.gate().droppedFrames() == 3 && recorder.lines().size() == 2;
            });
            // then
            assertEquals(Set.of("0 record 2 of 8", "0 announcement 2 at 2 with 2 for 2"), Set.copyOf(recorder.lines()));
        }
    }

    @Test
    void shouldRefuseASecondSenderOfTheSameAttempt() {
        try (Task task = Task.open(transport, 1);
                OutputChannel second = task.openOutput(1, 0, 0)) {
            // given
            task.send(() -> task.output(0).offerWatermark(1));
            task.send(() -> second.offerWatermark(2));
            // when
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertTrue(e.getMessage().contains("found two"), e.getMessage());
        }
    }

    @Test
    void shouldDetectMissedFrames() {
        try (Task task = Task.open(transport, 1)) {
            // given: a reader took more frames than a window holds, and was replaced by another
            for (int i = 0; i < 3_000; i++) {
                task.send(() -> task.output(0).offerWatermark(1), recorder);
            }
            task.receive(recorder, 3_000);
            task.gate().close();
            task.openGate();
            // when
            task.send(() -> task.output(0).offerWatermark(2));
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertTrue(
                    e.getMessage()
                            .matches("channel 0 of reader at position \\d+: expected frame 0, found frame \\d+: .*"),
                    e.getMessage());
        }
    }

    @Test
    void shouldDetectMissedControlFrames() {
        try (Task task = Task.open(transport, 1)) {
            // given
            for (int i = 0; i < 3_000; i++) {
                task.send(() -> task.output(0).offerAnnouncement(1, 1, 1, 1), recorder);
            }
            task.await("all announcements", () -> {
                task.gate().pollControl(recorder);
                return recorder.lines().size() == 3_000;
            });
            task.gate().close();
            task.openGate();
            // when
            task.send(() -> task.output(0).offerAnnouncement(2, 2, 2, 2));
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertTrue(
                    e.getMessage()
                            .matches("the control stream of reader at position \\d+: "
                                    + "expected frame 0 of channel 0, found frame \\d+: .*"),
                    e.getMessage());
        }
    }

    @Test
    void shouldRefuseASenderOfAnotherChannel() {
        try (Task task = Task.unopened(transport, 2)) {
            // given
            task.openGate();
            final OutputChannel crossed = task.openOutput(1, 0, 1);
            task.send(() -> crossed.offerWatermark(1));
            // when
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertTrue(
                    e.getMessage().contains("expected a frame of channel 0, found one of channel 1"), e.getMessage());
            crossed.close();
        }
    }

    @Test
    void shouldDeliverWhatAVanishedSenderSentAndThenFail() {
        try (Task task = Task.open(transport, 1)) {
            // given
            task.send(() -> feed.clear().add(1, 8).add(2, 8).offerBatch(task.output(0)));
            task.output(0).close();
            // when
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertEquals(List.of("0 record 1 of 8", "0 record 2 of 8"), recorder.lines());
            assertTrue(e.getMessage().contains("channel 0 of reader"), e.getMessage());
            assertTrue(e.getMessage().contains("the sender has gone"), e.getMessage());
        }
    }

    @Test
    void shouldDetectASenderThatVanishesBeforeItsFirstFrame() {
        try (Task task = Task.open(transport, 1)) {
            // given
            task.output(0).close();
            // when
            final TransportException e = task.receiveFailure(recorder);
            // then
            assertTrue(e.getMessage().contains("the sender has gone"), e.getMessage());
        }
    }

    @Test
    void shouldEndAChannelWhoseSenderClosesBehindItsEndOfData() {
        try (Task task = Task.open(transport, 2)) {
            // given
            task.send(() -> feed.clear().add(1, 8).offerBatch(task.output(0)));
            task.send(task.output(0)::offerEndOfData);
            task.output(0).close();
            task.receive(recorder, 2);
            // when
            task.send(() -> task.output(1).offerWatermark(4));
            task.receive(recorder, 3);
            // then
            assertEquals(List.of("0 record 1 of 8", "0 end", "1 watermark 4"), recorder.lines());
            assertEquals(0, task.gate().poll(recorder, 10));
        }
    }

    @Test
    void shouldTellTheSenderThatTheReceiverHasGone() {
        try (Task task = Task.open(transport, 1)) {
            // given
            task.send(() -> task.output(0).offerWatermark(1));
            task.send(() -> task.output(0).offerAnnouncement(1, 1, 1, 1));
            // when
            task.gate().close();
            // then
            task.await("a closed channel", () -> task.output(0).offerWatermark(2) == OutputChannel.CLOSED);
            task.await(
                    "a closed control lane",
                    () -> task.output(0).offerAnnouncement(2, 2, 2, 2) == OutputChannel.CLOSED);
            assertEquals(0, task.gate().poll(recorder, 10));
        }
    }

    @Test
    void shouldRefuseOffersOnceClosed() {
        try (Task task = Task.open(transport, 1)) {
            task.output(0).close();
            task.output(0).close();
            assertEquals(OutputChannel.CLOSED, task.output(0).offerWatermark(1));
            assertEquals(OutputChannel.CLOSED, feed.add(1, 8).offerBatch(task.output(0)));
            assertEquals(OutputChannel.CLOSED, task.output(0).offerAnnouncement(1, 1, 1, 1));
        }
    }

    @Test
    void shouldCloseAllThatIsOpen() {
        // given
        final Task task = Task.open(transport, 1);
        task.send(() -> task.output(0).offerWatermark(1));
        // when
        transport.close();
        transport.close();
        // then
        assertEquals(OutputChannel.CLOSED, task.output(0).offerWatermark(1));
        assertEquals(0, task.gate().poll(recorder, 10));
        assertEquals(0, transport.pump());
        assertThrows(TransportException.class, task::openGate);
        task.close();
    }

    @Test
    void shouldDrawUniqueStreamIds() {
        final Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            final int id = transport.nextStreamId();
            assertTrue(id > 0, "id=" + id);
            assertTrue(ids.add(id), "id=" + id);
        }
    }

    @Test
    void shouldKeepChannelsApart() {
        try (Task first = Task.open(transport, 1);
                Task second = Task.open(transport, 1)) {
            first.send(() -> first.output(0).offerWatermark(1));
            second.send(() -> second.output(0).offerWatermark(2));
            first.receive(recorder, 1);
            assertEquals(List.of("0 watermark 1"), recorder.take());
            second.receive(recorder, 1);
            assertEquals(List.of("0 watermark 2"), recorder.take());
            assertNotEquals(first.streamId(0), second.streamId(0));
        }
    }

    @Test
    void shouldCaptureFromWithinABatchUpToAPosition() {
        try (Task task = Task.open(transport, 1)) {
            // given: the first of three records was delivered, and the barrier belongs behind the fourth
            final OutputChannel output = task.output(0);
            final InputGate gate = task.gate();
            task.send(() -> feed.clear().add(1, 5).add(2, 9, 70).add(3, 0).offerBatch(output));
            task.send(() -> output.offerWatermark(1));
            task.send(() -> feed.clear().add(4, 3).offerBatch(output));
            final long end = output.position();
            task.send(() -> feed.clear().add(5, 3).offerBatch(output));
            recorder.stopAfter(1);
            task.receive(recorder, 1);
            recorder.stopAfter(Integer.MAX_VALUE);
            final long cursor = gate.cursor(0);
            assertTrue(cursor > gate.position(0), "cursor=" + cursor + " position=" + gate.position(0));
            // when
            gate.startCapture(0);
            // then: nothing is delivered that is not captured
            assertEquals(0, gate.poll(recorder, 10));
            final CapturedRecords captured = new CapturedRecords(List.of(), end);
            assertEquals(end, gate.capture(0, end, captured));
            assertEquals(List.of("0 record 2 of 70 behind 9", "0 record 3 of 0", "0 record 4 of 3"), captured.lines());
            task.await(
                    "all that was captured",
                    () -> gate.poll(recorder, 10) == 0 && recorder.lines().size() == 5);
            assertEquals(end, gate.cursor(0));
            gate.stopCapture(0);
            task.receive(recorder, 6);
            assertEquals("0 record 5 of 3", recorder.lines().get(5));
        }
    }

    @Test
    void shouldCaptureInSlicesThatAreShorterThanWhatTheLogSkipsAtItsEnd() {
        try (Task task = Task.open(transport, 1)) {
            final OutputChannel output = task.output(0);
            final InputGate gate = task.gate();
            final int valueLength = output.maxBatchLength() * 2 / 3;
            final long end = 4L * transport.bufferLength(1);
            task.send(() -> feed.clear().add(0, valueLength).offerBatch(output));
            for (int i = 1; output.position() < end; i++) {
                // given: one record is in flight, and one that may lie behind the end of the log
                final int value = i;
                task.send(() -> feed.clear().add(value, valueLength).offerBatch(output));
                gate.startCapture(0);
                final CapturedRecords captured = new CapturedRecords(List.of(), output.position());
                // when: each slice begins where the one before came to
                final long[] position = {gate.cursor(0)};
                task.await("both records", () -> {
                    final long sliceEnd = Math.min(position[0] + 8, output.position());
                    position[0] = Math.max(position[0], gate.capture(0, sliceEnd, captured));
                    return position[0] == output.position();
                });
                // then
                assertEquals(2, captured.lines().size(), captured.lines()::toString);
                gate.stopCapture(0);
                task.await("the first record", () -> gate.poll(recorder, 1) == 1);
            }
        }
    }

    @Test
    void shouldCaptureFromTheBeginOfAChannelThatWasNotRead() {
        try (Task task = Task.open(transport, 1)) {
            // given
            final InputGate gate = task.gate();
            final CapturedRecords captured = new CapturedRecords(List.of(), 0);
            assertEquals(0, gate.cursor(0));
            gate.startCapture(0);
            assertEquals(0, gate.capture(0, Long.MAX_VALUE, captured));
            // when
            task.send(() -> feed.clear().add(1, 5).offerBatch(task.output(0)));
            task.await("the record", () -> gate.capture(0, Long.MAX_VALUE, captured) > 0);
            // then
            assertEquals(List.of("0 record 1 of 5"), captured.lines());
            gate.stopCapture(0);
            task.receive(recorder, 1);
        }
    }

    @Test
    void shouldTellOfBarriersCancellationsAndTheEndAheadAndStandBeforeThem() {
        try (Task task = Task.open(transport, 1)) {
            // given
            final OutputChannel output = task.output(0);
            task.send(() -> output.offerBarrier(6, 0, 0));
            task.send(() -> feed.clear().add(1, 5).offerBatch(output));
            task.send(() -> output.offerCancellation(7));
            final long last = output.position();
            task.send(output::offerEndOfData);
            final CapturedRecords captured = new CapturedRecords(List.of(), 0);
            task.gate().startCapture(0);
            // when
            task.await("the end", () -> {
                task.gate().capture(0, Long.MAX_VALUE, captured);
                return captured.met().contains("0 end");
            });
            // then
            assertEquals(List.of("0 barrier 6", "0 cancellation 7", "0 end"), captured.met());
            assertEquals(List.of("0 record 1 of 5"), captured.lines());
            assertEquals(last, task.gate().capture(0, Long.MAX_VALUE, captured));
            task.gate().stopCapture(0);
            task.receive(recorder, 4);
        }
    }

    @Test
    void shouldCaptureARecordInPartsThatIsLongerThanTheLog() {
        try (Task task = Task.open(transport, 1)) {
            // given: the first part was read when the capture begins, and the record is not in the log as a whole ever
            final OutputChannel output = task.output(0);
            final InputGate gate = task.gate();
            final int part = output.maxBatchLength();
            feed.add(1, output.maxRecordLength() - 16);
            task.send(() -> output.offerFragment(OutputChannel.BEGIN_RECORD, feed.buffer(), 0, part));
            task.await("the first part", () -> {
                gate.poll(recorder, 1);
                return gate.cursor(0) > 0;
            });
            gate.startCapture(0);
            final CapturedRecords captured = new CapturedRecords(List.of(), Long.MAX_VALUE);
            // when
            for (int offset = part; offset < feed.length(); offset += part) {
                final int from = offset;
                final int length = Math.min(part, feed.length() - offset);
                final int flags = offset + length == feed.length() ? OutputChannel.END_RECORD : 0;
                task.send(() -> {
                    gate.capture(0, Long.MAX_VALUE, captured);
                    gate.poll(recorder, 1);
                    return output.offerFragment(flags, feed.buffer(), from, length);
                });
            }
            task.await("the last part", () -> gate.capture(0, Long.MAX_VALUE, captured) == output.position());
            // then
            task.receive(recorder, 1);
            assertEquals(recorder.lines(), captured.lines());
        }
    }

    @Test
    void shouldMatchAPlainModelOverManyTerms() {
        for (long seed = 1; seed <= 3; seed++) {
            new RandomTraffic(transport, seed).run(20_000);
        }
    }

    @Test
    void shouldNotAllocateOnceWarm() {
        try (Task task = Task.open(transport, 2)) {
            // given
            final SteadyTraffic traffic = new SteadyTraffic(task, transport);
            long allocated = Long.MAX_VALUE;
            // when: the compiler takes its time, and until then interpreted code allocates
            for (int round = 0; allocated > 0 && round < 20; round++) {
                final long before = traffic.allocatedBytes();
                traffic.run(1_000_000);
                allocated = traffic.allocatedBytes() - before;
            }
            // then
            assertEquals(0, allocated, "bytes allocated for a million records");
            assertTrue(traffic.announced() > 0);
        }
    }

    /** Fills a channel with one-record batches until it is back-pressured for good; gives how many went in. */
    protected int fill(final Task task, final int channelIndex) {
        feed.clear().add(1, 1000);
        int sent = 0;
        int refused = 0;
        while (refused < 200) {
            if (feed.offerBatch(task.output(channelIndex)) == OutputChannel.BACK_PRESSURED) {
                refused++;
                transport.pump();
                YieldingIdleStrategy.INSTANCE.idle();
            } else {
                sent++;
                refused = 0;
            }
        }
        return sent;
    }
}
