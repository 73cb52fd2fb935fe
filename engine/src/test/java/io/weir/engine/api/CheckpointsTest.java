package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class CheckpointsTest {
    @Test
    void shouldConcludeWithDefaults() {
        final Checkpoints.Settings settings =
                Checkpoints.every(Duration.ofMillis(100)).in(Path.of("chk")).conclude();

        assertEquals(
                new Checkpoints.Settings(
                        100_000_000,
                        new Checkpoints.Directory(Path.of("chk")),
                        false,
                        Checkpoints.Settings.NEVER_UNALIGNED,
                        Long.MAX_VALUE,
                        600_000_000_000L,
                        0,
                        1,
                        10,
                        2,
                        100_000_000,
                        true),
                settings);
    }

    @Test
    void shouldTakeEverySetting() {
        final Checkpoints checkpoints = Checkpoints.every(Duration.ofMillis(1))
                .inMemory()
                .timeout(Duration.ofSeconds(2))
                .minPause(Duration.ofMillis(3))
                .maxConcurrent(4)
                .tolerableFailures(5)
                .retained(6)
                .intervalDuringBacklog(Duration.ofMillis(7))
                .deleteOnCancel();

        assertEquals(
                new Checkpoints.Settings(
                        1_000_000,
                        new Checkpoints.Memory(),
                        false,
                        Checkpoints.Settings.NEVER_UNALIGNED,
                        Long.MAX_VALUE,
                        2_000_000_000L,
                        3_000_000,
                        4,
                        5,
                        6,
                        7_000_000,
                        false),
                checkpoints.conclude());
        assertEquals(
                "Checkpoints{interval=PT0.001S, place=Memory[], timeout=PT2S, minPause=PT0.003S, maxConcurrent=4, "
                        + "tolerableFailures=5, retained=6, intervalDuringBacklog=PT0.007S, deleteOnCancel, unaligned=off, maxChannelState=off}",
                checkpoints.toString());
    }

    @Test
    void shouldNameTheSettingThatIsOutOfRange() {
        refuses(
                "checkpoint intervalNs=0 must be >= 1000000",
                Checkpoints.every(Duration.ZERO).inMemory());
        refuses("checkpoint timeoutNs=0", settings -> settings.timeout(Duration.ZERO));
        refuses("checkpoint minPauseNs=-1", settings -> settings.minPause(Duration.ofNanos(-1)));
        refuses("maxConcurrent checkpoints=0", settings -> settings.maxConcurrent(0));
        refuses("tolerableFailures of checkpoints=-1", settings -> settings.tolerableFailures(-1));
        refuses("retained checkpoints=0", settings -> settings.retained(0));
        refuses(
                "intervalDuringBacklog backlogIntervalNs=5000000 must be >= 1000000000",
                settings -> settings.intervalDuringBacklog(Duration.ofMillis(5)));
        refuses("checkpoints need a place", Checkpoints.every(Duration.ofSeconds(1)));
    }

    @Test
    void shouldTellHowBarriersTreatWhatIsInFlight() {
        final Checkpoints checkpoints = Checkpoints.every(Duration.ofSeconds(1)).inMemory();
        final Checkpoints.Settings unaligned = checkpoints
                .unaligned(Duration.ofMillis(50))
                .maxChannelState(4096)
                .conclude();
        assertEquals(50_000_000, unaligned.alignmentTimeoutNs());
        assertEquals(4096, unaligned.maxChannelStateBytes());
        assertTrue(checkpoints.toString().contains("unaligned=PT0.05S"), checkpoints::toString);
        final Checkpoints counting =
                Checkpoints.every(Duration.ofSeconds(1)).inMemory().atLeastOnce();
        assertTrue(counting.conclude().atLeastOnce());
        assertTrue(counting.toString().endsWith(", atLeastOnce}"), counting::toString);
        refuses("alignmentTimeoutNs=-50000000 must be >= 0", settings -> settings.unaligned(Duration.ofMillis(-50)));
        refuses("unaligned=PT8760000H must be shorter", settings -> settings.unaligned(Duration.ofDays(365_000)));
        refuses("maxChannelState=-1 must be >= 0", settings -> settings.maxChannelState(-1));
        refuses(
                "unaligned=PT0S and atLeastOnce exclude each other",
                settings -> settings.atLeastOnce().unaligned(Duration.ZERO));
    }

    private static void refuses(final String message, final UnaryOperator<Checkpoints> change) {
        refuses(message, change.apply(Checkpoints.every(Duration.ofSeconds(1)).inMemory()));
    }

    private static void refuses(final String message, final Checkpoints checkpoints) {
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, checkpoints::conclude);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
