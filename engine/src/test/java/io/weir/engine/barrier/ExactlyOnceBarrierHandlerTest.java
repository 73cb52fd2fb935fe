package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactlyOnceBarrierHandlerTest {
    @ParameterizedTest(name = "{2} after {1}")
    @CsvSource(delimiter = '|', textBlock = """
        2 | B1@0 | BLOCKED
        2 | B1@0 B1@1 | SNAPSHOT
        2 | B1@0 X1@1 | ABORTED
        2 | X1@0 | ABORTED
        2 | B1@0 A1 | ABORTED
        2 | A1 | ABORT_REMEMBERED
        2 | A1 B1@0 | CANCELLATION_FORWARDED
        2 | A1 X1@0 | CANCELLATION_FORWARDED
        0 | A1 T1 | CANCELLATION_FORWARDED
        2 | T1 | TRIGGER_HELD
        2 | E0 | CHANNEL_ENDED
        2 | ann1@0 | IGNORED_ALIGNED_MODE
        2 | B2@0 B1@1 | SKIPPED
        3 | B2@0 B1@1 B1@2 | IGNORED_LATE_BARRIER
        2 | X1@0 B1@1 | IGNORED_LATE_BARRIER
        1 | B1@0 B1@0 | IGNORED_LATE_BARRIER
        2 | B1@0 B1@0 | IGNORED_DUPLICATE_BARRIER
        1 | B1@0 X1@0 | IGNORED_LATE_CANCELLATION
        1 | B1@0 A1 | IGNORED_LATE_ABORT
        0 | T2 T1 | SKIPPED
        0 | T2 T2 | IGNORED_LATE_TRIGGER
        1 | T2 T1 | IGNORED_LATE_TRIGGER
        2 | B1@0 A2 T2 | IGNORED_ABORTED_TRIGGER
        2 | E0 B1@0 | IGNORED_ENDED_CHANNEL
        2 | E0 X1@0 | IGNORED_ENDED_CHANNEL
        2 | E0 E0 | IGNORED_ENDED_CHANNEL
        """)
    void shouldNameAndCountWhatBecameOfAnEvent(int channels, String events, BarrierOutcome expected) {
        int before = events.lastIndexOf(' ');
        BarrierScript script = new BarrierScript(BarrierSettings.aligned(), channels);
        BarrierHandler handler = script.handler();
        if (before > 0) {
            script.play(events.substring(0, before));
        }
        long count = handler.count(expected);

        script.play(events.substring(before + 1));

        assertEquals(expected, handler.outcome());
        assertEquals(count + 1, handler.count(expected));
    }

    @ParameterizedTest(name = "{2} after {1}")
    @CsvSource(delimiter = '|', textBlock = """
        2 | d0 | WAITING | -1
        0 | A1 | NO_RUNNING_INPUTS | -1
        2 | B1@0 | ALIGNING | 1
        2 | T1 | HOLDING_TRIGGER | -1
        2 | T2 B1@0 | ALIGNING | 1
        2 | B1@0 B1@1 | WAITING | 1
        2 | B1@0 X1@1 | WAITING | 1
        2 | X3@1 | WAITING | 3
        2 | E0 E1 | NO_RUNNING_INPUTS | -1
        2 | T1 E0 E1 | NO_RUNNING_INPUTS | 1
        """)
    void shouldShowWhereItStands(int channels, String events, BarrierState state, long currentCheckpointId) {
        BarrierScript script = new BarrierScript(BarrierSettings.aligned(), channels);

        script.play(events);

        assertEquals(state, script.handler().state());
        assertEquals(currentCheckpointId, script.handler().currentCheckpointId());
    }

    @Test
    void shouldTellBlockedChannelsFromOpenOnes() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(2, 0));

        handler.onBarrier(1, 1, 0, 0, 0);

        assertFalse(handler.isBlocked(0));
        assertTrue(handler.isBlocked(1));
        assertTrue(handler.hasRunningInputs());
    }

    @Test
    void shouldRefuseChannelsThatItDoesNotHave() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(2, 0));

        assertThrows(IndexOutOfBoundsException.class, () -> handler.onBarrier(2, 1, 0, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> handler.onEndOfData(-1, 0));
        assertThrows(
                IllegalArgumentException.class, () -> BarrierSettings.aligned().handler(BarrierChannels.of(-1, 0)));
    }
}
