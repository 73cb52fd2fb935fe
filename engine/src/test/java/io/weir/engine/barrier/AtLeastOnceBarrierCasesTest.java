package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of counted barriers, one a line: number, channels, events with what they ask for (notation of
 * {@link BarrierScript}). Nothing is ever blocked, so that every record can be read where it stands.
 */
class AtLeastOnceBarrierCasesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        FC-52 | 1 | B1@0:snap1 d0 B3@0:snap3 B4@0:snap4 d0 B6@0:snap6 B7@0:snap7 B10@0:snap10
        two channels | 2 | d0 B1@0 d0 d0 d1 B1@1:snap1 d0 d1
        FC-53 | 3 | B1@0 B1@1 B1@2:snap1 B2@2 B2@1 d2 B2@0:snap2 B3@2 d2 d2 B4@0 d0 d1 d2 B4@1 d1 B4@2:abort3(subsumed),snap4 d0 d1 d2
        FC-54 up to 5 | 3 | B2@0 B2@1 B2@2:snap2 B3@1 B3@2 d1 d2 B4@2 B4@1 B3@0:snap3 B4@0:snap4 B5@0 B5@1 B5@2:snap5
        FC-54 from 6 | 3 | B6@1 B6@0 B7@1 B7@2 B8@2 B8@1 B9@1 B7@0:abort6(subsumed),snap7 B9@2 B10@2 B8@0:snap8 B9@0:snap9 B10@0 B10@1:snap10
        FC-55 one channel | 1 | d0 B1@0:snap1 d0 B2@0:snap2 d0 X4@0:abort4(cancellation),cancel4 B5@0:snap5 d0 X6@0:abort6(cancellation),cancel6 d0
        FC-55 several channels | 2 | B1@0 B1@1:snap1 X2@0:abort2(cancellation),cancel2 B2@1 B3@0 B3@1:snap3 B4@1 X4@0:abort4(cancellation),cancel4 B5@0 B5@1:snap5 X6@1:abort6(cancellation),cancel6 X6@0
        FC-57 | 3 | B1@0 B2@0 B2@1 B3@0 B4@0 B4@1 B5@1 E2:abort1(subsumed),abort2(subsumed),abort3(subsumed),snap4 B5@0:snap5
        FC-58 barrier | 2 | B1@0 E0 B1@1:snap1
        FC-58 cancellation | 2 | B1@0 E0 X1@1:abort1(cancellation),cancel1
        FC-60 | 3 | E2 B5@0 B6@0 X6@1:abort5(subsumed),cancel5,abort6(cancellation),cancel6 E1 X7@0:abort7(cancellation),cancel7
        late ones | 2 | B2@0 B2@1:snap2 B1@0:abort1(subsumed) B2@0 X1@1 X2@1
        a channel counts once | 2 | B1@0 B1@0 B1@1:snap1
        ended channels count | 3 | E1 B1@0 B1@2:snap1 E0 E2
        the end completes several | 2 | B1@0 B2@0 B3@0 E1:abort1(subsumed),abort2(subsumed),snap3

        # Aborts by the coordinator: a cancellation in place of the snapshot, behind what is older and goes on.
        FC-62 | 1 | A42 d0 B42@0:cancel42 B43@0:snap43
        FC-62, 3 channels | 3 | A42 B42@1 d1 B42@0 B42@2:cancel42 B43@0 B43@1 B43@2:snap43
        FC-62, upstream was told before | 2 | A42 X42@0:cancel42 X42@1 B43@0 B43@1:snap43
        FC-62, source | 0 | A42 T42:cancel42 T43:snap43
        abort while pending | 2 | B1@0 B2@0 A2 B1@1:snap1 B2@1:cancel2
        aborted one is dropped by a newer one | 2 | B1@0 A1 B2@0 B2@1:snap2 B1@1
        the end completes an aborted one | 2 | B1@0 B2@0 A2 E1:snap1,cancel2
        abort after the snapshot (FC-64) | 1 | B1@0:snap1 A1 B2@0:snap2

        # Triggers: sources, and tasks whose inputs have ended.
        source | 0 | T1:snap1 T2:snap2 TS3:snap3 T7:snap7
        FC-68 | 0 | T2:snap2 T1:abort1(subsumed) T1 T2 T3:snap3
        a finished task answers for what it has dropped, and once | 2 | B1@0 B2@0 B2@1:abort1(subsumed),snap2 E0 E1 T1 T2 T3:snap3
        a finished task answers for what it has not met | 2 | B2@0 B2@1:snap2 E0 E1 T1:abort1(subsumed) T1 T2
        FC-144 inputs | 3 | B2@0 B2@1 B2@2:snap2 E0 B4@1 B4@2:snap4 E1 E2 T6:snap6
        trigger before the ends of data | 2 | d0 T1 d0 E0 d1 E1:snap1
        the barrier itself comes after all | 2 | T1 B1@0 E1:snap1 E0
        older barriers before the ends still count | 2 | T2 B1@0 B1@1:snap1 E0 E1:snap2

        # At-least-once knows neither alignment nor channel state.
        savepoints are counted | 2 | S1@0 d0 S1@1:snap1
        announcements | 2 | ann1@0 uann1@1 d0 B1@0 tick999 B1@1:snap1
        """)
    void shouldAnswer(String name, int channels, String line) {
        BarrierScript script = new BarrierScript(BarrierSettings.atLeastOnce(), channels);

        assertEquals(line, script.play(line), name);
    }

    @Test
    void shouldDropTheOldestOfTooManyPendingCheckpoints() {
        BarrierHandler handler = BarrierSettings.atLeastOnce().handler(BarrierChannels.of(2, 0));

        for (int id = 0; id <= AtLeastOnceBarrierHandler.MAX_PENDING; id++) {
            handler.onBarrier(0, id, 0, 0, 0);
        }

        handler.onBarrier(1, 0, 0, 0, 0);
        assertEquals(BarrierOutcome.COUNTED, handler.outcome());
        handler.onBarrier(1, 2, 0, 0, 0);
        assertEquals(BarrierOutcome.SNAPSHOT, handler.outcome());
        assertEquals(BarrierState.COUNTING, handler.state());
    }
}
