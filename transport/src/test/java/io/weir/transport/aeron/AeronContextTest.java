package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AeronContextTest {
    static Stream<Arguments> badOptions() {
        return Stream.of(
                bad("dataTermLength=1000 must be a power of two in [65536, 1073741824]", c -> c.dataTermLength(1000)),
                bad("controlTermLength=65537 must be a power of two", c -> c.controlTermLength(65537)),
                bad("mtuLength=100 must be a multiple of 32 in [512, 65504]", c -> c.mtuLength(100)),
                bad("mtuLength=65536 must be a multiple of 32 in [512, 65504]", c -> c.mtuLength(65536)),
                bad("mtuLength=16384 must be <= dataTermLength / 8 = 8192", c -> c.dataTermLength(65536)),
                bad("maxRecordLength=8 must be a multiple of 8 in [1048576, 1073741824]", c -> c.maxRecordLength(8)),
                bad("channelBudget=0 must be >= 1", c -> c.channelBudget(0)),
                bad("driverTimeoutNs=5 must be >= 1000000", c -> c.driverTimeoutNs(5)));
    }

    private static Arguments bad(final String message, final Function<AeronContext, AeronContext> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badOptions")
    void shouldNameTheOptionThatIsOutOfRange(final String message, final Function<AeronContext, AeronContext> change) {
        final AeronContext context = change.apply(new AeronContext().aeronDirectory(null));
        final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> AeronTransport.launch(context));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void shouldStartFromSystemProperties() {
        System.setProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY, "4m");
        System.setProperty(AeronContext.DRIVER_TIMEOUT_PROPERTY, "3s");
        try {
            final AeronSettings settings = new AeronContext().conclude();
            assertEquals(4 * 1024 * 1024, settings.dataTermLength());
            assertEquals(3_000_000_000L, settings.driverTimeoutNs());
        } finally {
            System.clearProperty(AeronContext.DATA_TERM_LENGTH_PROPERTY);
            System.clearProperty(AeronContext.DRIVER_TIMEOUT_PROPERTY);
        }
    }

    @Test
    void shouldPrintEveryOption() {
        final String text = new AeronContext().toString();
        for (final var component : AeronSettings.class.getRecordComponents()) {
            assertTrue(text.contains(component.getName() + '='), component.getName());
        }
    }

    @Test
    void shouldKeepStreamIdsAwayFromThoseOfOthers() {
        assertEquals(1 << 20, AeronTransport.streamId(0));
        assertEquals(Integer.MAX_VALUE, AeronTransport.streamId(Integer.MAX_VALUE - (1 << 20)));
        assertEquals(1 << 20, AeronTransport.streamId(Integer.MAX_VALUE - (1 << 20) + 1L));
        assertTrue(AeronTransport.streamId(-1) > 0);
    }
}
