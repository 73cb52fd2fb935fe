package io.weir.transport.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.NoRoomException;
import io.weir.transport.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelRoomTest {
    private static final long GIB = 1L << 30;
    private static final long MANY = 1_000_000;

    private final AeronSettings settings = new AeronContext().channelBudget(GIB).conclude();

    @ParameterizedTest
    @CsvSource({
        "1, 1048576",
        "100, 1048576",
        "330, 524288",
        "1000, 262144",
        "2048, 65536",
        "10000, 65536",
    })
    void shouldHalveTheTermsUntilAllChannelsAreInTheBudget(final long channelCount, final int termLength) {
        // given
        final ChannelRoom room = room(100 * GIB, 0, MANY, MANY);
        // when
        final int chosen = room.dataTermLength(channelCount, settings);
        // then
        assertEquals(termLength, chosen);
    }

    @Test
    void shouldLeaveHalfOfASmallDirectoryFree() {
        // given: what containers have by default
        final ChannelRoom room = room(64L << 20, 0, MANY, MANY);
        // when
        final int chosen = room.dataTermLength(20, settings);
        // then
        assertEquals(256 * 1024, chosen);
        assertTrue(20 * ChannelRoom.channelBytes(chosen, settings.controlTermLength()) <= 32L << 20);
    }

    @Test
    void shouldCountWhatOpenChannelsWerePromised() {
        // given
        final ChannelRoom room = room(100 * GIB, GIB - (10L << 20), MANY, MANY);
        // when
        final int chosen = room.dataTermLength(4, settings);
        // then
        assertEquals(512 * 1024, chosen);
    }

    @Test
    void shouldRefuseWhatDoesNotFitIntoTheDirectory() {
        // given
        final ChannelRoom room = room(5_000_000, 1_000_000, MANY, MANY);
        // when
        final NoRoomException e = assertThrows(NoRoomException.class, () -> room.dataTermLength(10, settings));
        // then: 3 terms and 4 KiB of meta data, twice
        assertEquals(
                "no room for 10 more channels: they need 4014080 bytes in /aeron, available are 4000000 "
                        + "(5000000 free, 1000000 of them promised to open channels; give that file system more room, or use a"
                        + " lower parallelism)",
                e.getMessage());
        assertEquals(64 * 1024, room.dataTermLength(9, settings));
    }

    @Test
    void shouldRefuseWhatTheDriverHasNoCountersFor() {
        // given
        final ChannelRoom room = room(100 * GIB, 0, 65, MANY);
        // when
        final NoRoomException e = assertThrows(NoRoomException.class, () -> room.dataTermLength(11, settings));
        // then
        assertTrue(e.getMessage().contains("need 66 counters"), e.getMessage());
        assertTrue(e.getMessage().contains("available are 65 (see aeron.counters.buffer.length"), e.getMessage());
        assertEquals(1024 * 1024, room.dataTermLength(10, settings));
    }

    @Test
    void shouldRefuseWhatTheProcessCanNotMap() {
        // given
        final ChannelRoom room = room(100 * GIB, 0, MANY, 43);
        // when
        final NoRoomException e = assertThrows(NoRoomException.class, () -> room.dataTermLength(11, settings));
        // then
        assertTrue(e.getMessage().contains("need 44 memory mappings"), e.getMessage());
        assertTrue(e.getMessage().contains("available are 43 (see the system's vm.max_map_count)"), e.getMessage());
        assertEquals(1024 * 1024, room.dataTermLength(10, settings));
    }

    @Test
    void shouldRefuseAnyCountWithoutOverflow() {
        // given: the parallelism of two wide edges at its limit
        final long channelCount = 2L * 32_768 * 32_768;
        // then
        assertThrows(
                NoRoomException.class,
                () -> room(Long.MAX_VALUE, 0, MANY, MANY).dataTermLength(channelCount, settings));
        assertThrows(
                NoRoomException.class,
                () -> room(100 * GIB, 0, Long.MAX_VALUE, Long.MAX_VALUE).dataTermLength(channelCount, settings));
    }

    @Test
    void shouldTakeUpWhatAChannelIsSaidToNeed() {
        try (AeronTransport transport =
                AeronTransport.launch(new AeronContext().aeronDirectory(null).channelBudget(GIB))) {
            // given
            final ChannelRoom before = transport.room();
            // when
            final ChannelRoom open;
            try (Task task = Task.open(transport, 20)) {
                task.await(
                        "all channels joined",
                        () -> transport.room().freeCounters()
                                <= before.freeCounters() - 20 * ChannelRoom.COUNTERS_PER_CHANNEL);
                open = transport.room();
            }
            // then: roughly, since a counter of the client or a mapping of the JVM may come or go in between
            final long counters = before.freeCounters() - open.freeCounters();
            assertTrue(counters < 21 * ChannelRoom.COUNTERS_PER_CHANNEL, before + " -> " + open);
            assertEquals(4, open.mappingsPerChannel());
            assertTrue(before.freeMappings() - open.freeMappings() > 15 * 4, before + " -> " + open);
            assertEquals(
                    20 * ChannelRoom.channelBytes(1024 * 1024, 64 * 1024),
                    open.promisedBytes() - before.promisedBytes());
            assertEquals(0, transport.room().promisedBytes());
        }
    }

    private static ChannelRoom room(
            final long freeBytes, final long promisedBytes, final long freeCounters, final long freeMappings) {
        return new ChannelRoom("/aeron", freeBytes, promisedBytes, freeCounters, freeMappings, 4);
    }
}
