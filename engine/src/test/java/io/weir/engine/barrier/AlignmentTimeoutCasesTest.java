package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of barriers that are aligned up to a timeout, one a line: number, channels, timeout, events with what
 * they ask for (notation of {@link BarrierScript}). A timeout of 1000000 stands for one that never runs out.
 */
class AlignmentTimeoutCasesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # In time: aligned. The timeout is each checkpoint's own.
        in time | 2 | 100 | ann1@0 B1@0:block0 tick99 ann1@1 d1 B1@1:snap1,unblock0,closed1{}
        FC-23 | 2 | 100 | B1@0:block0 B1@1:snap1,unblock0,closed1{} tick101
        FC-32 | 2 | 1000000 | B1@0:block0 d1 tick500 d1 B1@1:snap1,unblock0,closed1{}

        # At the timeout: by the timer, with no further input.
        FC-17 | 2 | 10 | qd0 qd0 qB1@0 qd1 qB1@1 ann1@0 tick20:usnap1,closed1{0=0+1;1=0} ann1@1 r0 r0 r0 r1 r1
        FC-18 | 2 | 10 | qd0 qd0 qB1@0 qd1 qB1@1 ann1@0 ann1@1 tick11:usnap1,closed1{0=0+1;1=0} r0 r0 r0 r1 r1
        FC-21 | 2 | 100 | B1@0:block0 d1 tick101:usnap1,unblock0 d0 d1 B1@1:closed1{1=1}
        FC-26 | 2 | 100 | ann1@0 B1@0:block0 tick101:usnap1,unblock0 ann1@1 d0 B1@1:closed1{} d0 d1
        on the dot | 2 | 100 | B1@0:block0 tick100:usnap1,unblock0

        # At the timeout: by the next arrival, before the timer runs.
        FC-19 announcement, then timer | 2 | 10 | qd0 qB1@0 qd1 qB1@1 late20 ann1@0:usnap1,closed1{0=0;1=0} fire r0 r1 ann1@1
        FC-19 second announcement | 2 | 10 | qd0 qd1 ann1@0 late20 ann1@1:usnap1 fire r0 r1 B1@0 B1@1:closed1{0=0;1=0}
        FC-19 barrier, then timer | 2 | 10 | ann1@0 ann1@1 qd1 late20 B1@0:usnap1 fire r1 B1@1:closed1{1=0}
        FC-19 second barrier of three | 3 | 10 | B1@0:block0 qd2 late20 B1@1:usnap1,unblock0 fire r2 B1@2:closed1{2=0}
        end of data | 3 | 10 | B1@0:block0 qd2 late20 E1:usnap1,unblock0 fire r2 B1@2:closed1{2=0}
        FC-20 | 2 | 100 | tick101 B1@0:usnap1 d1 B1@1:closed1{1=0}
        FC-20 announced | 2 | 100 | tick101 qd0 ann1@0:usnap1 r0 d1 B1@1 B1@0:closed1{0=0;1=0}
        last barrier is late: nothing to capture | 2 | 100 | B1@0:block0 late101 B1@1:usnap1,unblock0,closed1{}

        # Each checkpoint by itself; all are triggered at time 0.
        ran out before the barrier | 1 | 100 | ann1@0 tick101:usnap1 B1@0:closed1{}
        FLINK-22596: ran out before the first barrier | 2 | 100 | B1@0:block0 B1@1:snap1,unblock0,closed1{} ann2@0 tick101:usnap2
        FLINK-23041: counted from the trigger | 1 | 100 | tick80 ann1@0 tick21:usnap1 B1@0:closed1{}
        FC-24 | 2 | 100 | B1@0:block0 X1@0:abort1(cancellation),cancel1,unblock0 X1@1 tick101
        aborted before the timeout | 2 | 100 | ann1@0 A1:abort1(coordinator),cancel1 tick101 B1@0
        FC-30, FLINK-24068 end before the barriers | 2 | 100 | ann1@0 E1 d0 tick101:usnap1 d0 B1@0:closed1{0=1}

        # Turned unaligned upstream: at once, whatever the time is.
        FC-27 | 3 | 1000000 | B1@0:block0 qd1 qd1 U1@1:usnap1,unblock0 d2 B1@2:closed1{1=0+1;2=0} r1 r1 r1
        FC-27 inline | 3 | 1000000 | B1@0:block0 d1 qU1@1 r1:usnap1,unblock0 d2 B1@2:closed1{2=0}
        FC-28 | 2 | 1000000 | ann1@0 d0 U1@1:usnap1 d0 B1@0:closed1{0=1}
        moved ahead by its sender | 2 | 1000000 | ann1@0 qd0 uann1@0:usnap1 d1 r0 qU1@0 r0 B1@1:closed1{0=0;1=0}
        announced position is used after the timeout | 2 | 100 | ann1@0 qd0 d1 tick100:usnap1 uann1@0 uann1@1:closed1{0=0} r0

        # Savepoints know no timeout.
        savepoint | 2 | 100 | S1@0:block0 tick101 d1 S1@1:snap1,unblock0
        FC-34 | 2 | 100 | B10@0:block0 d1 S5@1:abort5(subsumed) d1 B10@1:snap10,unblock0,closed10{}
        FC-31 | 2 | 1000000 | S0@0:block0 qd0 U1@1:abort0(subsumed),cancel0,unblock0,usnap1 U1@0:closed1{0=0} r0 r0
        savepoint, then late checkpoint | 2 | 100 | S1@0:block0 S1@1:snap1,unblock0 tick101 B2@0:usnap2

        # Triggers that came before the ends of data wait for them, up to the timeout.
        source | 0 | 100 | T1:snap1,closed1{} tick101 T2:usnap2,closed2{}
        held trigger in time | 2 | 100 | T1 d0 E0 E1:snap1,closed1{} tick101
        held trigger at the timeout | 2 | 100 | T1 d0 qd1 tick101:usnap1 E0 E1:closed1{1=0}
        held trigger behind an open one | 2 | 100 | B1@0:block0 T2 d1 B1@1:snap1,unblock0,closed1{} tick101:usnap2 d1 E1 E0:closed2{1=1}
        held trigger behind one that turns | 2 | 100 | B1@0:block0 T2 qd1 tick101:usnap1,unblock0 E1:closed1{1=0},usnap2 E0:closed2{1=0}
        """)
    void shouldAnswer(String name, int channels, long timeoutNs, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(timeoutNs), channels);

        assertEquals(line, script.play(line), name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # k: a channel whose order is kept. Past the timeout the cut waits for it, and goes on unaligned.
        kept edge at the timeout | kko | B1@2:block2 B1@0:block0 d1 tick100 d1 B1@1:usnap1,unblock0,unblock2,closed1{}
        kept edge in time | ko | B1@0:block0 d1 tick100:usnap1,unblock0 d1 B1@1:closed1{1=1}
        kept edge is announced nothing | ko | ann1@0 d0 tick100
        """)
    void shouldWaitForEdgesThatKeepTheirOrder(String name, String inputs, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(100), inputs, "");

        assertEquals(line, script.play(line), name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # A snapshot is complete when its barriers have left every outbox, or what is ahead of them there is captured.
        outboxes are empty | oo | T1:snap1 w0 w1:closed1{} tick101
        behind unsent records | oo | e0 e1 T1:snap1 w0 w0 w1 w1:closed1{} tick101
        one leaves in time | oo | e0 e0 e1 T1:snap1 e0 w1 w1 tick100:overtake0,closed1{out0=0+1} e0
        both overtake | oo | e0 e1 e1 T1:snap1 w1 tick100:overtake0,overtake1,closed1{out0=0;out1=1}
        at once past the timeout | oo | e0 tick100 T1:usnap1,closed1{out0=0}
        FC-67 output whose order is kept | ok | e0 e1 T1:snap1 tick100:overtake0,closed1{out0=0} w1 w1
        all outputs keep their order | kk | e0 T1:snap1,closed1{} tick100
        FC-66 | oo | e0 e1 TS1:snap1 tick100 w0 w0 w1 w1
        aborted in the outbox | oo | e0 T1:snap1 A1:abort1(coordinator) tick100 w0 w0 w1
        savepoint behind it | o | e0 T1:snap1 e0 TS2:snap2 e0 tick100:overtake0,closed1{out0=0} w0 w0 w0 w0 w0
        checkpoint behind it | o | e0 T1:snap1 e0 T2:snap2 tick100:overtake0,overtake0,closed1{out0=0},closed2{out0=0+1}
        nothing is awaited twice | o | e0 T1:snap1 tick100:overtake0,closed1{out0=0} tick1 w0 w0
        """)
    void shouldOvertakeInTheOutboxAtTheTimeout(String name, String outputs, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(100), "", outputs);

        assertEquals(line, script.play(line), name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # Both sides of one task: the cut was aligned, or not, and then the barrier waits in the outbox.
        aligned cut, then late in the outbox | e0 B1@0:block0 B1@1:snap1,unblock0 d0 tick100:overtake0,closed1{out0=0}
        unaligned cut captures the outbox | e0 e0 B1@0:block0 qd1 tick100:usnap1,unblock0 r1 B1@1:closed1{1=0;out0=0+1}
        next checkpoint while the barrier waits | e0 B1@0:block0 B1@1:snap1,unblock0 B2@0:block0 w0 w0:closed1{} B2@1:snap2,unblock0 w0:closed2{}
        next one overtakes it | e0 B1@0:block0 B1@1:snap1,unblock0 U2@0:usnap2 U2@1:closed2{out0=0} w0 w0 w0:closed1{}
        """)
    void shouldCloseChannelStateWhenInputsAndOutputsAreDone(String name, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(100), 2, 1);

        assertEquals(line, script.play(line), name);
    }

    @Test
    void shouldAlignTheCheckpointBehindOneThatTurnedUnalignedFc16() {
        int options = BarrierOptions.ALIGNED_WITH_TIMEOUT;
        BarrierHandler handler = BarrierSettings.unaligned(100).handler(BarrierChannels.of(1, 0));
        handler.onAnnouncement(0, 1, 0, options, 8, 1);
        assertTrue(isUnaligned(handler.onTime(101)));
        handler.onSnapshotTaken(1, channel -> 0, 0, 101);
        handler.onBarrier(0, 1, 0, options, 102);
        assertEquals(BarrierState.WAITING, handler.state());

        assertEquals(List.of(), handler.onAnnouncement(0, 2, 102, options, 16, 102));
        assertFalse(isUnaligned(handler.onBarrier(0, 2, 102, options, 201)));
    }

    private static boolean isUnaligned(List<BarrierAction> actions) {
        return BarrierOptions.isUnaligned(((BarrierAction.Snapshot) actions.get(0)).options());
    }
}
