package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class CodecsTest {
    private static final class Tick extends Flyweight {
        static final int LENGTH = 25;

        long id() {
            return getLong(0);
        }

        Tick id(final long id) {
            putLong(0, id);
            return this;
        }

        double price() {
            return getDouble(8);
        }

        Tick price(final double price) {
            putDouble(8, price);
            return this;
        }

        int quantity() {
            return getInt(16);
        }

        Tick quantity(final int quantity) {
            putInt(16, quantity);
            return this;
        }

        byte side() {
            return getByte(24);
        }

        Tick side(final byte side) {
            putByte(24, side);
            return this;
        }
    }

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @Test
    void shouldReadBackPlainValues() {
        for (final long value : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
            assertEquals(value, roundTrip(Codecs.longs(), value));
            assertEquals((int) value, roundTrip(Codecs.ints(), (int) value));
            assertEquals((double) value, roundTrip(Codecs.doubles(), (double) value));
        }
        for (final String value : List.of("", "plain", "zażółć", "\uD83D\uDE00", "\uFFFD")) {
            assertEquals(value, roundTrip(Codecs.strings(), value));
        }
        assertArrayEquals(new byte[] {1, 2}, roundTrip(Codecs.bytes(), new byte[] {1, 2}));
        assertEquals(5, roundTrip(Codecs.longCell(), new LongCell().set(5)).get());
    }

    @Test
    void shouldRefuseOtherLengths() {
        for (final Codec<?> codec : List.of(Codecs.longs(), Codecs.ints(), Codecs.doubles(), Codecs.longCell())) {
            for (final int length : new int[] {0, 3, 9}) {
                final IllegalArgumentException e =
                        assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, 0, length));
                assertTrue(e.getMessage().contains(Integer.toString(length)), e.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseBytesThatAreNoUtf8() {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[] {'a', (byte) 0xC3, 'b'});

        final IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Codecs.strings().decode(bytes, 0, 3));

        assertEquals("a string of 3 bytes is not UTF-8", e.getMessage());
    }

    @Test
    void shouldFindTheCodecOfAClass() {
        assertEquals("long", Codecs.find(Long.class).signature());
        assertEquals("string", Codecs.find(String.class).signature());
        assertNull(Codecs.find(Object.class));
    }

    @Test
    void shouldHandOutOneViewPerTask() {
        final Codec<Tick> codec = Codecs.flyweight("Tick", Tick.LENGTH, Tick::new);
        final Tick tick = new Tick();
        tick.allocate(Tick.LENGTH);
        codec.encode(tick.id(7).price(1.5).quantity(3).side((byte) 'B'), buffer, 5);

        final Tick first = codec.decode(buffer, 5, Tick.LENGTH);

        assertSame(first, codec.decode(buffer, 5, Tick.LENGTH));
        assertNotSame(first, codec.forTask().decode(buffer, 5, Tick.LENGTH));
        assertEquals(7, first.id());
        assertEquals(1.5, first.price());
        assertEquals(3, first.quantity());
        assertEquals('B', first.side());
        assertEquals("Tick", codec.forTask().signature());
    }

    @Test
    void shouldHaveIdAndVersion() {
        final Codec<Pair> pairs = Codec.ofRecord(Pair.class);
        final Codec<Pair> third = pairs.version(3).id("Couple").forTask();

        assertEquals("Pair 1 Pair(left:string?,right:long)", show(pairs));
        assertEquals("Pair 2 Pair(left:string?,right:long)", show(pairs.version(2)));
        assertEquals("Couple 3 Couple(left:string?,right:long)", show(third));
        assertEquals("long 1 long", show(Codecs.longs()));
        assertEquals("count 1 count", show(Codecs.longs().id("count")));
        assertNull(third.migration());
        final int length = third.encode(new Pair("a", 1), buffer, 3);
        assertEquals(new Pair("a", 1), third.decode(buffer, 3, length));
        assertEquals(new Pair("a", 1), pairs.decode(buffer, 3, length));
        assertThrows(IllegalArgumentException.class, () -> pairs.version(0));
        assertThrows(IllegalArgumentException.class, () -> pairs.id("Pair@2"));
        assertThrows(IllegalArgumentException.class, () -> pairs.id(""));
    }

    record Pair(String left, long right) {}

    private static String show(final Codec<?> codec) {
        return codec.id() + ' ' + codec.version() + ' ' + codec.signature();
    }

    @Test
    void shouldKeepTheMigrationOverIdAndTask() throws Exception {
        final Codec<Pair> pairs = Codec.ofRecord(Pair.class)
                .version(3, Migration.from(2, Codecs.longs(), old -> new Pair("was a number", old)))
                .id("Couple")
                .forTask();
        Codecs.longs().encode(7L, buffer, 0);

        assertEquals(new Pair("was a number", 7), pairs.migration().migrate(2, new UnsafeBuffer(buffer, 0, 8)));
        assertTrue(pairs.migration().reads(2, ""));
        assertFalse(pairs.migration().reads(1, ""));
        assertThrows(
                IllegalArgumentException.class, () -> pairs.migration().migrate(1, new UnsafeBuffer(buffer, 0, 8)));
        assertNull(pairs.version(4).migration());
        assertThrows(IllegalArgumentException.class, () -> Migration.from(0, Codecs.longs(), old -> old));
    }

    @Test
    void shouldCompareLayoutsWithoutTheNamesOfRecords() {
        final Migration<Long> migration = Migration.from(1, Codec.ofRecord(Nested.class), old -> 1L);

        assertTrue(migration.reads(1, "(pair:Old(left:string?,right:long)?,side:enum(A,B)?)"));
        assertTrue(migration.reads(1, ""), "a layout that is not told can't be compared");
        assertFalse(migration.reads(1, "(pair:Pair(left:string?,right:int)?,side:enum(A,B)?)"));
        assertFalse(migration.reads(1, "(pair:Pair(left:string?,right:long)?,side:enum(B,A)?)"));
    }

    enum Side {
        A,
        B
    }

    record Nested(Pair pair, Side side) {}

    @Test
    void shouldRefuseAViewOfAnotherLength() {
        final Codec<Tick> codec = Codecs.flyweight("Tick", Tick.LENGTH, Tick::new);
        final Tick tick = new Tick();
        tick.allocate(9);

        final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> codec.encode(tick, buffer, 0));

        assertEquals("Tick takes 25 bytes, but the view has 9", e.getMessage());
    }

    private <T> T roundTrip(final Codec<T> codec, final T value) {
        final int length = codec.encode(value, buffer, 3);
        return codec.decode(buffer, 3, length);
    }
}
