package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of unaligned barriers, one a line: number, channels, events with what they ask for (notation of
 * {@link BarrierScript}). Where the original is silent about a checkpoint that comes behind a newer one, it is declined
 * here (FC-44, FC-68).
 */
class UnalignedBarrierCasesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # Channel state is what is between the cut and the channel's barrier.
        FC-38 | 3 | d0 d2 d0 U1@1:usnap1 U1@2 d2 d1 d0 U1@0:closed1{0=2}
        FC-39 | 3 | d0 d2 d0 U5@1:usnap5 d2 d0 d2 d1 U5@2 d1 d0 d2 d1 U5@0:closed5{0=2+3;2=1+2}
        FC-40 back to back | 3 | U1@0:usnap1 U1@1 U1@2:closed1{} d0 d1 d2
        FC-40 data behind the barriers only | 3 | U1@0:usnap1 d0 U1@1 d0 d1 U1@2:closed1{} d2
        FC-40 one channel | 1 | d0 U1@0:usnap1,closed1{} d0 U2@0:usnap2,closed2{}
        FC-41 | 3 | U1@0:usnap1 U1@1 U1@2:closed1{} d0 d0 d2 U2@2:usnap2 U2@0 d0 d2 d1 E2 E1:closed2{1=0} d0 E0
        FC-42 | 2 | U1@1:usnap1 d0 U1@0:closed1{0=0} d1 E0 E1
        FC-37 checkpoint | 2 | d0 U1@1:usnap1 d0 d1 U1@0:closed1{0=1}

        # Data that waits in the stream: captured ahead of processing, up to the announced position or the inline barrier.
        queued behind the cursor | 2 | d0 qd0 qd0 U1@1:usnap1 uann1@0:closed1{0=1+2} r0 r0 qU1@0 r0 d0
        no announcement, met by the capture | 2 | qd0 qd0 qU1@0 qd0 U1@1:usnap1,closed1{0=0+1} r0 r0 r0 r0
        position comes when all is captured | 2 | qd0 qd0 U1@1:usnap1 uann1@0:closed1{0=0+1} r0 r0
        the end is met by the capture | 2 | qd0 qE0 U1@1:usnap1,closed1{0=0} r0 r0
        inline barrier is read first | 2 | qd0 qd0 qU1@1 r1:usnap1 uann1@0:closed1{0=0+1} uann1@1 r0 r0 qU1@0 r0
        announced behind unsent frames, then moved ahead | 2 | ann1@0:usnap1 d0 d1 uann1@0 U1@1:closed1{0=0;1=0}
        all data is behind announced barriers | 2 | uann1@0:usnap1 uann1@1:closed1{} qU1@0 qU1@1 qd0 r0 r0 r1

        # FC-49 at the receiver: both positions are known before anything is captured or processed.
        FC-49 | 2 | qd0 d1 qd1 uann1@0:usnap1 uann1@1:closed1{0=0;1=1} r0 r1 qU1@0 qd0 r0 r0 qU1@1 qd1 r1 r1

        # Barriers of other checkpoints in the window (FLINK-20654, FLINK-21104).
        older barrier in the window | 2 | U2@1:usnap2 d0 U1@0:abort1(subsumed) d0 U2@0:closed2{0=0+1}
        older barrier in the stream | 2 | qd0 qU1@0 qd0 U2@1:usnap2 uann2@0:closed2{0=0+1} r0 r0:abort1(subsumed) r0
        barrier of the former checkpoint is still in the stream | 2 | qd0 uann1@0:usnap1 U1@1:closed1{0=0} qU1@0 qd0 U2@1:usnap2 uann2@0:closed2{0=0+1} r0 r0 r0
        newer barrier in the stream | 2 | qd0 qU3@0 U2@1:usnap2,abort2(subsumed) r0 r0:usnap3 U3@1:closed3{}
        start behind a newer one (FLINK-20331) | 1 | U2@0:usnap2,closed2{} U1@0:abort1(subsumed) d0 U3@0:usnap3,closed3{}

        # A newer barrier gives up the open checkpoint, also when its cut was made.
        newer barrier | 2 | U1@0:usnap1 d1 U2@0:abort1(subsumed),usnap2 d1 U1@1 d1 U2@1:closed2{1=1+2}
        newer announcement | 2 | qd1 U1@0:usnap1 uann2@1:abort1(subsumed),usnap2 r1 U2@0:closed2{1=0}
        FC-31 | 2 | S0@0:block0 qd0 U1@1:abort0(subsumed),cancel0,unblock0,usnap1 U1@0:closed1{0=0} r0 r0
        newer savepoint | 2 | U1@0:usnap1 S2@1:abort1(subsumed),block1 U1@1 S2@0:snap2,unblock1
        given up before, not declined again | 2 | U1@0:usnap1 U2@0:abort1(subsumed),usnap2 U1@1 U2@1:closed2{}

        # Cancellation and abort.
        FC-44 X10 X20 | 1 | X10@0:abort10(cancellation),cancel10 X20@0:abort20(cancellation),cancel20
        FC-44 X20 X10 | 1 | X20@0:abort20(cancellation),cancel20 X10@0
        FC-44 X10 U10 | 1 | X10@0:abort10(cancellation),cancel10 U10@0
        FC-44 X10 U20 | 1 | X10@0:abort10(cancellation),cancel10 U20@0:usnap20,closed20{}
        FC-44 X20 U10 | 1 | X20@0:abort20(cancellation),cancel20 U10@0:abort10(subsumed)
        FC-44 U10 U10 | 1 | U10@0:usnap10,closed10{} U10@0
        FC-44 U10 U20 | 1 | U10@0:usnap10,closed10{} U20@0:usnap20,closed20{}
        FC-44 U10 U20, 2 channels | 2 | U10@0:usnap10 U20@0:abort10(subsumed),usnap20
        FC-44 U20 U10 | 1 | U20@0:usnap20,closed20{} U10@0:abort10(subsumed)
        FC-44 U10 X10 | 1 | U10@0:usnap10,closed10{} X10@0
        FC-44 U10 X10, 2 channels | 2 | U10@0:usnap10 X10@0:abort10(cancellation)
        FC-44 U10 X20 | 1 | U10@0:usnap10,closed10{} X20@0:abort20(cancellation),cancel20
        FC-44 U20 X10 | 1 | U20@0:usnap20,closed20{} X10@0
        cancellation on the other channel | 2 | U1@0:usnap1 d1 X1@1:abort1(cancellation) d1 U2@1:usnap2 d0 U2@0:closed2{0=0}
        cancellation in the stream | 2 | qd0 qX1@0 qd0 U1@1:usnap1,abort1(cancellation) r0 r0 r0
        cancellation of a newer one in the stream | 2 | qd0 qX2@0 U1@1:usnap1,abort1(subsumed) r0 r0:abort2(cancellation),cancel2
        older cancellation in the stream | 2 | qd0 qX1@0 qd0 U2@1:usnap2 uann2@0:closed2{0=0+1} r0 r0 r0
        FC-62 | 1 | A42 d0 U42@0:cancel42 d0 U43@0:usnap43,closed43{}
        FC-62 the announcement comes first | 2 | A42 uann42@0:cancel42 qU42@0 r0 U42@1 U43@0:usnap43 U43@1:closed43{}
        abort after the cut | 2 | U1@0:usnap1 d1 A1:abort1(coordinator) d1 U1@1 U2@0:usnap2 U2@1:closed2{}
        abort after all is closed (FC-64) | 1 | U1@0:usnap1,closed1{} A1 U2@0:usnap2,closed2{}

        # End of data, finished channels, triggers.
        ended channels | 3 | E1 U1@0:usnap1 d2 U1@2:closed1{2=0} E0 E2
        all but one ended | 3 | E1 E2 d0 U1@0:usnap1,closed1{}
        end on the last channel | 2 | U1@0:usnap1 d1 E1:closed1{1=0}
        source | 0 | T1:usnap1,closed1{} T2:usnap2,closed2{}
        FC-68 | 0 | T2:usnap2,closed2{} T1:abort1(subsumed) T1 T3:usnap3,closed3{}
        all inputs have ended | 2 | E0 E1 T1:usnap1,closed1{}
        FC-144 inputs | 3 | U2@0:usnap2 U2@1 U2@2:closed2{} E0 U4@1:usnap4 d2 U4@2:closed4{2=0} E1 E2 T6:usnap6,closed6{}
        trigger before the ends of data | 2 | qd0 T1:usnap1 d1 E1 r0 E0:closed1{0=0;1=0}
        trigger with the end in the stream | 2 | qd0 qE0 qE1 T1:usnap1,closed1{0=0} r0 r0 r1
        trigger, then a barrier after all | 2 | qd0 T1:usnap1 U1@0 E1:closed1{0=0} r0 r0
        trigger behind a savepoint that is cancelled | 2 | S1@0:block0 T2 d1 X1@1:abort1(cancellation),cancel1,unblock0,usnap2 d1 E1 E0:closed2{1=1}
        trigger behind a savepoint that is aborted | 2 | S1@0:block0 T2 d1 A1:abort1(coordinator),cancel1,unblock0 tick1:usnap2 E0 E1:closed2{}
        trigger behind a savepoint that is taken | 2 | S1@0:block0 T2 d1 S1@1:snap1,unblock0,usnap2 d1 E1 E0:closed2{1=1}
        savepoint trigger before the ends | 2 | d0 TS1 d0 E0 d1 E1:snap1

        # Savepoints stay aligned in an unaligned job.
        FC-66, FLINK-18252 | 2 | d0 S1@0:block0 d1 S1@1:snap1,unblock0 d0
        FC-37 savepoint | 2 | S1@0:block0 d1 S1@1:snap1,unblock0 d0 d1
        announced savepoint | 2 | U1@0:usnap1 U1@1:closed1{} S2@1:block1 S2@0:snap2,unblock1
        savepoint of a source | 0 | TS1:snap1 T2:usnap2,closed2{}

        # Restored channel state comes first (FLINK-20654): the cut waits until it was processed.
        checkpoint while restoring | 2 | restoring uann1@0 restored:usnap1 d1 U1@1:closed1{1=0}
        aborted while restoring | 2 | restoring uann1@0 A1:abort1(coordinator),cancel1 restored uann2@0:usnap2
        nothing came while restoring | 2 | restoring restored U1@0:usnap1
        """)
    void shouldAnswer(String name, int channels, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(0), channels);

        assertEquals(line, script.play(line), name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # k: a channel whose order is kept. The cut waits for it, and goes on unaligned: FC-67.
        FC-67 kept edge first | ko | k | U1@0:usnap1 d1 U1@1:closed1{1=0}
        FC-67 kept edge last | ko | o | U1@1:block1 qd1 d0 U1@0:usnap1,unblock1,closed1{} r1
        kept edge announces nothing | ko | o | uann1@0 d0 d1
        announced on the other | ko | o | uann1@1 d0 d1 qB1@1 r1:block1 B1@0:usnap1,unblock1,closed1{}
        read up to the barrier on the other | ko | o | d1 qd1 qd1 uann1@1 r1 B1@0:usnap1,closed1{1=2}
        two kept edges | kko | o | uann1@2 B1@0:block0 d1 d2 B1@1:usnap1,unblock0,closed1{}
        kept edge ends | ko | o | uann1@1 d0 E0:usnap1,closed1{}
        all edges kept | kk | k | B1@0:block0 d1 B1@1:usnap1,unblock0,closed1{}
        kept edge of a savepoint | ko | o | S1@1:block1 d0 S1@0:snap1,unblock1
        """)
    void shouldWaitForEdgesThatKeepTheirOrder(String name, String inputs, String outputs, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.unaligned(0), inputs, outputs);

        assertEquals(line, script.play(line), name);
    }

    @Test
    void shouldAlternateCheckpointsAndSavepointsFc33() {
        BarrierHandler handler = BarrierSettings.unaligned(0).handler(BarrierChannels.of(123, 0));
        List<Long> snapshots = new ArrayList<>();

        for (int id = 0; id < 123; id++) {
            int options = id % 2 == 0 ? BarrierOptions.UNALIGNED : BarrierOptions.SAVEPOINT;
            for (int channel = 0; channel < 123; channel++) {
                for (BarrierAction action : handler.onBarrier(channel, id, 0, options, id)) {
                    if (action instanceof BarrierAction.Snapshot snapshot) {
                        assertEquals(options, snapshot.options());
                        assertEquals(id % 2 == 0 ? 0 : 122, channel);
                        snapshots.add(snapshot.checkpointId());
                        handler.onSnapshotTaken(id, each -> 0, 0, id);
                    }
                }
            }
            assertFalse(handler.hasOpenChannelState());
        }

        assertEquals(LongStream.range(0, 123).boxed().toList(), snapshots);
    }
}
