package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BarrierSettingsTest {
    @ParameterizedTest(name = "{0}, unaligned {1}, timeout {2}")
    @CsvSource(delimiter = '|', textBlock = """
        # The decision table of DESIGN.md section 4. At-least-once wins over unaligned (FLINK-18403, FLINK-17107).
        AT_LEAST_ONCE | false | 0   | AtLeastOnceBarrierHandler | ALIGNED
        AT_LEAST_ONCE | true  | 0   | AtLeastOnceBarrierHandler | ALIGNED
        AT_LEAST_ONCE | true  | 100 | AtLeastOnceBarrierHandler | ALIGNED
        EXACTLY_ONCE  | false | 0   | ExactlyOnceBarrierHandler | ALIGNED
        EXACTLY_ONCE  | false | 100 | ExactlyOnceBarrierHandler | ALIGNED
        EXACTLY_ONCE  | true  | 0   | ExactlyOnceBarrierHandler | UNALIGNED
        EXACTLY_ONCE  | true  | 100 | ExactlyOnceBarrierHandler | ALIGNED_WITH_TIMEOUT
        """)
    void shouldChooseByModeAndTimeout(
            CheckpointingMode mode, boolean unaligned, long timeoutNs, String handler, String options) {
        BarrierSettings settings = new BarrierSettings(mode, unaligned, timeoutNs, 0, 1);

        assertEquals(
                handler, settings.handler(BarrierChannels.of(2, 1)).getClass().getSimpleName());
        assertEquals(options, name(settings.checkpointOptions()));
        assertTrue(BarrierOptions.isSavepoint(settings.savepointOptions()));
        assertFalse(BarrierOptions.mayOvertake(settings.savepointOptions()), "savepoints are aligned");
    }

    private static String name(int options) {
        return switch (options) {
            case BarrierOptions.ALIGNED -> "ALIGNED";
            case BarrierOptions.ALIGNED_WITH_TIMEOUT -> "ALIGNED_WITH_TIMEOUT";
            case BarrierOptions.UNALIGNED -> "UNALIGNED";
            default -> throw new AssertionError("options " + options);
        };
    }

    @ParameterizedTest(name = "{0} on an edge that is {1}")
    @CsvSource(delimiter = '|', textBlock = """
        # Priority is decided per checkpoint and per edge (FC-66, FC-67, FLINK-18252, FLINK-37870).
        0 | OVERTAKEN | IN_ORDER
        1 | OVERTAKEN | ANNOUNCED
        2 | OVERTAKEN | OVERTAKING
        3 | OVERTAKEN | OVERTAKING
        4 | OVERTAKEN | IN_ORDER
        0 | KEPT      | IN_ORDER
        1 | KEPT      | IN_ORDER
        2 | KEPT      | IN_ORDER
        4 | KEPT      | IN_ORDER
        """)
    void shouldPlaceBarriersByCheckpointAndEdge(int options, EdgeOrder order, BarrierPlacement placement) {
        assertEquals(placement, BarrierPlacement.of(options, order));
    }

    @Test
    void shouldKeepThePositionOfAnAnnouncementOutOfTheBarrier() {
        int announced = BarrierOptions.positionFixed(BarrierOptions.UNALIGNED);

        assertTrue(BarrierOptions.isPositionFixed(announced));
        assertTrue(BarrierOptions.isUnaligned(announced));
        assertEquals(BarrierOptions.UNALIGNED, BarrierOptions.announced(announced));
    }

    @Test
    void shouldForwardTheBarriersOptionsAndNotTheAnnouncements() {
        BarrierHandler handler = BarrierSettings.unaligned(0).handler(BarrierChannels.of(2, 1));

        int announced = BarrierOptions.positionFixed(BarrierOptions.UNALIGNED);
        BarrierAction action = handler.onAnnouncement(0, 1, 0, announced, 8, 5).get(0);

        assertEquals(BarrierOptions.UNALIGNED, ((BarrierAction.Snapshot) action).options());
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> BarrierSettings.unaligned(-1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new BarrierSettings(CheckpointingMode.EXACTLY_ONCE, true, 0, -1, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new BarrierSettings(CheckpointingMode.EXACTLY_ONCE, true, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> BarrierChannels.of(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> BarrierChannels.of(0, -1));
        BitSet third = new BitSet();
        third.set(2);
        assertThrows(IllegalArgumentException.class, () -> new BarrierChannels(2, third, 0, new BitSet()));
    }

    @Test
    void shouldNeverRunOutOfATimeoutThatIsTooLongToAdd() {
        BarrierHandler handler = BarrierSettings.unaligned(Long.MAX_VALUE).handler(BarrierChannels.of(2, 0));

        handler.onBarrier(0, 1, 1_000, BarrierOptions.ALIGNED_WITH_TIMEOUT, 2_000);

        assertEquals(BarrierOutcome.BLOCKED, handler.outcome());
        assertEquals(Long.MAX_VALUE, handler.deadlineNs());
    }
}
