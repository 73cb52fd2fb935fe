package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of aligned barriers, one a line: number, channels, events with what they ask for (notation of
 * {@link BarrierScript}).
 *
 * <p>The end of data in FC-03's original assumes that a closed channel does not stand for its barrier; here it always does
 * (FC-07). FC-44 is given in its aligned form: where the original expects a snapshot at the first of two barriers, the
 * channel is blocked instead. What comes behind something newer in FC-34, FC-44 and FC-68 is declined, where the original is
 * silent and lets the coordinator wait.
 */
class AlignedBarrierCasesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # One channel: never blocked.
        FC-01 | 1 | d0 d0 d0 B1@0:snap1 d0 d0 d0 d0 B2@0:snap2 B3@0:snap3 d0 d0 B4@0:snap4 B5@0:snap5 B6@0:snap6 d0 E0
        FC-11 | 1 | d0 B1@0:snap1 d0 B2@0:snap2 d0 X4@0:abort4(cancellation),cancel4 B5@0:snap5 d0 X6@0:abort6(cancellation),cancel6 d0

        # Several channels.
        FC-02 checkpoint 1 | 3 | d0 d2 d0 B1@1:block1 B1@2:block2 d0 B1@0:snap1,unblock1,unblock2 d0 d0 d1 d1 d2
        FC-02 checkpoint 2 | 3 | B2@0:block0 B2@1:block1 B2@2:snap2,unblock0,unblock1 d2 d2
        FC-02 checkpoint 3 | 3 | B3@2:block2 d0 d0 B3@0:block0 B3@1:snap3,unblock0,unblock2
        FC-02 checkpoint 4 | 3 | B3@0:block0 B3@1:block1 B3@2:snap3,unblock0,unblock1 B4@1:block1 B4@2:block2 B4@0:snap4,unblock1,unblock2 d0 E0 E1 E2

        # A newer barrier gives up the open checkpoint.
        FC-03 | 3 | B2@1:block1 d2 B2@0:block0 d2 B3@2:abort2(subsumed),cancel2,unblock0,unblock1,block2 d1 d0 B3@0:block0 B4@1:abort3(subsumed),cancel3,unblock0,unblock2,block1 d2 d0 E0 d2 E2:snap4,unblock1 d1 E1
        FC-14 | 3 | d2 B3@1:block1 B3@0:block0 d2 B5@2:abort3(subsumed),cancel3,unblock0,unblock1,block2 d1 d0 X3@0 d0 d1 B5@0:block0 B5@1:snap5,unblock0,unblock2
        FC-34 | 2 | B10@0:block0 d1 B5@1:abort5(subsumed) d1 B10@1:snap10,unblock0
        older barrier behind a newer one (FLINK-21104) | 2 | B2@1:block1 B1@0:abort1(subsumed) d0 B2@0:snap2,unblock1 d1

        passed over, declined once | 3 | B2@0:block0 B1@1:abort1(subsumed) B1@2 B2@1:block1 B2@2:snap2,unblock0,unblock1
        given up before, not declined again | 3 | B1@0:block0 B2@1:abort1(subsumed),cancel1,unblock0,block1 B1@2 B2@2:block2 B2@0:snap2,unblock1,unblock2

        # End of data stands for barriers, a channel counts once.
        FC-06 | 4 | E2 E1 d0 d0 d3 B2@3:block3 B2@0:snap2,unblock3 B3@0:block0 B3@3:snap3,unblock0 d0 d0 d3 E0 d3 B4@3:snap4 d3 E3
        FC-07 | 3 | B1@0:block0 B1@1:block1 E2:snap1,unblock0,unblock1
        FC-08 | 3 | B2@0:block0 B2@1:block1 E1 B2@2:snap2,unblock0,unblock1
        FC-58 barrier | 2 | B1@0:block0 E0 B1@1:snap1,unblock0
        FC-58 cancellation | 2 | B1@0:block0 E0 X1@1:abort1(cancellation),cancel1,unblock0
        second barrier on a channel | 2 | B1@0:block0 B1@0 B1@1:snap1,unblock0

        # Cancellations.
        FC-13 | 3 | d1 B1@1:block1 d2 d0 X1@0:abort1(cancellation),cancel1,unblock1 d1 B2@1:block1 d2 d0 B1@2 d0 d2 B2@0:block0 B2@2:snap2,unblock0,unblock1
        FC-46 | 2 | B1@0:block0 X1@1:abort1(cancellation),cancel1,unblock0
        FC-60 | 3 | E2 B5@0:block0 X6@1:abort5(subsumed),cancel5,unblock0,abort6(cancellation),cancel6 E1 X7@0:abort7(cancellation),cancel7
        FC-44 X10 X20 | 1 | X10@0:abort10(cancellation),cancel10 X20@0:abort20(cancellation),cancel20
        FC-44 X20 X10 | 1 | X20@0:abort20(cancellation),cancel20 X10@0
        FC-44 X10 B10 | 1 | X10@0:abort10(cancellation),cancel10 B10@0
        FC-44 X10 B20 | 1 | X10@0:abort10(cancellation),cancel10 B20@0:snap20
        FC-44 X20 B10 | 1 | X20@0:abort20(cancellation),cancel20 B10@0:abort10(subsumed)
        FC-44 B10 B10 | 1 | B10@0:snap10 B10@0
        FC-44 B10 B20 | 1 | B10@0:snap10 B20@0:snap20
        FC-44 B20 B10 | 1 | B20@0:snap20 B10@0:abort10(subsumed)
        FC-44 B10 X10 | 1 | B10@0:snap10 X10@0
        FC-44 B10 X10, 2 channels | 2 | B10@0:block0 X10@1:abort10(cancellation),cancel10,unblock0
        FC-44 B10 X20 | 1 | B10@0:snap10 X20@0:abort20(cancellation),cancel20
        FC-44 B20 X10 | 1 | B20@0:snap20 X10@0

        # Aborts by the coordinator.
        FC-62, FLINK-18238 | 1 | A42 d0 B42@0:cancel42 d0 B43@0:snap43
        FC-62, 3 channels | 3 | A42 d1 B42@1:cancel42 d1 B42@0 d0 B42@2 B43@0:block0 B43@1:block1 B43@2:snap43,unblock0,unblock1
        FC-62, upstream was told before | 2 | A42 X42@0:cancel42 X42@1 B43@0:block0 B43@1:snap43,unblock0
        FC-62, source | 0 | A42 T42:cancel42 T43:snap43
        abort during alignment | 2 | B1@0:block0 A1:abort1(coordinator),cancel1,unblock0 d0 B1@1 d1 B2@0:block0 B2@1:snap2,unblock0
        abort after the snapshot (FC-64) | 1 | B1@0:snap1 A1 B2@0:snap2
        abort of the one behind the open one | 2 | B1@0:block0 A2 B1@1:snap1,unblock0 B2@0:cancel2 B2@1 B3@0:block0 B3@1:snap3,unblock0
        aborted one is passed over | 2 | A2 B3@0:block0 X2@1 B3@1:snap3,unblock0

        # Triggers by the coordinator: sources, and tasks whose inputs have ended.
        source | 0 | T1:snap1 T2:snap2 T7:snap7
        FC-68, FLINK-17994 | 0 | T2:snap2 T1:abort1(subsumed) T1 T2 T3:snap3
        FC-144 inputs | 3 | B2@0:block0 B2@1:block1 B2@2:snap2,unblock0,unblock1 E0 B4@1:block1 B4@2:snap4,unblock1 E1 E2 T6:snap6
        nothing to resume (FLINK-23938) | 2 | E0 E1 T1:snap1
        trigger before the ends of data | 2 | d0 T1 d0 E0 d1 E1:snap1
        older barriers before the ends still count | 2 | T2 B1@0:block0 B1@1:snap1,unblock0 E0 E1:snap2
        the last end brings both | 2 | B1@0:block0 T2 E0 E1:snap1,unblock0,snap2
        the barrier itself comes after all | 2 | T1 B1@0:block0 E1:snap1,unblock0 E0
        held trigger is subsumed by a trigger | 1 | T1 T2:abort1(subsumed) E0:snap2
        held trigger is subsumed by a trigger, then met | 2 | T1 T2:abort1(subsumed) B1@0:cancel1 B1@1 E0 E1:snap2
        held trigger is subsumed by a trigger, then cancelled | 2 | T1 T2:abort1(subsumed) X1@0:cancel1 X1@1 E0 E1:snap2
        held trigger is subsumed by a barrier | 2 | T1 B2@0:abort1(subsumed),block0 E1:snap2,unblock0
        held trigger is cancelled | 2 | T1 X1@0:abort1(cancellation),cancel1 E0 E1
        held trigger is aborted | 1 | T1 A1:abort1(coordinator),cancel1 E0 T2:snap2
        held trigger is aborted behind an open one | 2 | B1@0:block0 T2 A2 T2 E1:snap1,unblock0 E0 T3:snap3

        # Aligned mode knows no announcements.
        announcement | 2 | ann1@0 B1@0:block0 ann1@1 B1@1:snap1,unblock0
        """)
    void shouldAnswer(String name, int channels, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.aligned(), channels);

        assertEquals(line, script.play(line), name);
    }

    @Test
    void shouldSnapshotAlternatingCheckpointsOfManyChannelsOnceEachFc33() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(123, 0));
        List<Long> snapshots = new ArrayList<>();

        for (int id = 0; id < 123; id++) {
            for (int channel = 0; channel < 123; channel++) {
                for (BarrierAction action : handler.onBarrier(channel, id, 0, id % 2, id)) {
                    if (action instanceof BarrierAction.Snapshot snapshot) {
                        assertEquals(id % 2, snapshot.options());
                        snapshots.add(snapshot.checkpointId());
                    }
                }
            }
        }

        assertEquals(123, snapshots.size());
        for (int id = 0; id < 123; id++) {
            assertEquals(id, snapshots.get(id));
        }
    }

    @Test
    void shouldBoundTheMemoryOfAbortsAheadOfBarriers() {
        BarrierHandler handler = BarrierSettings.aligned().handler(BarrierChannels.of(1, 0));
        int aborts = CheckpointIds.MAX_REMEMBERED_ABORTS + 1;

        for (int id = 1; id <= aborts; id++) {
            handler.onAbort(id);
        }

        assertEquals(BarrierOutcome.SNAPSHOT, outcome(handler, 1));
        assertEquals(BarrierOutcome.CANCELLATION_FORWARDED, outcome(handler, 2));
        assertEquals(BarrierOutcome.CANCELLATION_FORWARDED, outcome(handler, aborts));
    }

    private static BarrierOutcome outcome(BarrierHandler handler, long checkpointId) {
        handler.onBarrier(0, checkpointId, 0, 0, 0);
        return handler.outcome();
    }
}
