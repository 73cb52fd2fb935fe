package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.RestartStrategy.ExponentialDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows on failures at given seconds: the delays in seconds, or -1 for the end of the job. */
final class RestartBackoffTest {
    static Stream<Arguments> failures() {
        final RestartStrategy growing =
                new ExponentialDelay(Duration.ofSeconds(1), Duration.ofSeconds(10), 2, 0, Duration.ofSeconds(60));
        return Stream.of(
                Arguments.of("none", RestartStrategy.none(), List.of(5), List.of(-1)),
                Arguments.of(
                        "fixed delay",
                        RestartStrategy.fixedDelay(2, Duration.ofSeconds(3)),
                        List.of(0, 1_000, 2_000),
                        List.of(3, 3, -1)),
                Arguments.of(
                        "doubles up to the most", growing, List.of(0, 2, 5, 10, 20, 40), List.of(1, 2, 4, 8, 10, 10)),
                Arguments.of(
                        "runs for a minute since the restart",
                        growing,
                        List.of(0, 2, 63, 64, 125),
                        List.of(1, 2, 4, 8, 10)),
                Arguments.of("and then begins anew", growing, List.of(0, 2, 64, 66), List.of(1, 2, 1, 2)),
                Arguments.of(
                        "failure rate",
                        RestartStrategy.failureRate(2, Duration.ofSeconds(60), Duration.ofSeconds(1)),
                        List.of(0, 30, 61, 91, 92),
                        List.of(1, 1, 1, 1, -1)),
                Arguments.of(
                        "three at once are too many",
                        RestartStrategy.failureRate(2, Duration.ofSeconds(60), Duration.ZERO),
                        List.of(7, 7, 7),
                        List.of(0, 0, -1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void shouldAnswer(
            final String name, final RestartStrategy strategy, final List<Integer> atS, final List<Integer> expectedS) {
        final RestartBackoff backoff = new RestartBackoff(strategy, 1);
        final List<Integer> delaysS = new ArrayList<>();
        for (final int second : atS) {
            final long delayNs = backoff.onFailure(Duration.ofSeconds(second).toNanos());
            delaysS.add(
                    delayNs == RestartBackoff.GIVE_UP
                            ? -1
                            : (int) Duration.ofNanos(delayNs).toSeconds());
        }
        assertEquals(expectedS, delaysS);
    }

    @Test
    void shouldSpreadDelaysByTheJitterAndNeverBeyondTheMost() {
        // given
        final Duration most = Duration.ofMillis(1_050);
        final RestartStrategy strategy = RestartStrategy.exponentialDelay(Duration.ofSeconds(1), most);

        // when
        final List<Long> delaysNs = new ArrayList<>();
        for (int seed = 0; seed < 1_000; seed++) {
            delaysNs.add(new RestartBackoff(strategy, seed).onFailure(0));
        }

        // then
        assertNotEquals(1, delaysNs.stream().distinct().count());
        assertTrue(delaysNs.stream().allMatch(delay -> delay >= 900_000_000L && delay <= most.toNanos()));
        assertTrue(delaysNs.stream().anyMatch(delay -> delay < 950_000_000L));
        assertTrue(delaysNs.stream().anyMatch(delay -> delay == most.toNanos()));
        final long again = new RestartBackoff(strategy, 7).onFailure(0);
        assertEquals(again, new RestartBackoff(strategy, 7).onFailure(0));
    }

    @Test
    void shouldNameTheSettingThatIsOutOfRange() {
        final Duration second = Duration.ofSeconds(1);
        refuses("maxRestarts=-1 must be >= 0", () -> RestartStrategy.fixedDelay(-1, second));
        refuses("restart delay=PT-1S", () -> RestartStrategy.fixedDelay(1, second.negated()));
        refuses(
                "initialDelay of restarts=PT0S must be > 0",
                () -> RestartStrategy.exponentialDelay(Duration.ZERO, second));
        refuses(
                "maxDelay=PT1S of restarts must be >= initialDelay=PT2S",
                () -> RestartStrategy.exponentialDelay(second.plus(second), second));
        refuses("multiplier=0.5", () -> new ExponentialDelay(second, second, 0.5, 0, second));
        refuses("multiplier=NaN", () -> new ExponentialDelay(second, second, Double.NaN, 0, second));
        refuses("jitter=1.1", () -> new ExponentialDelay(second, second, 1, 1.1, second));
        refuses("maxFailures=0 must be >= 1", () -> RestartStrategy.failureRate(0, second, second));
        refuses("interval of failures=PT0S", () -> RestartStrategy.failureRate(1, Duration.ZERO, second));
        refuses("must be shorter than 292 years", () -> RestartStrategy.fixedDelay(1, Duration.ofDays(365_000)));
    }

    private static void refuses(final String message, final Executable setting) {
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, setting);
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }
}
