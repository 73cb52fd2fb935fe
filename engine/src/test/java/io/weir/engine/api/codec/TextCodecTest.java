package io.weir.engine.api.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Codecs;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextCodecTest {
    private static final long SEED = 42;

    enum Side {
        BUY,
        SELL
    }

    record Inner(String text, Side side) {}

    @SuppressWarnings("ArrayRecordComponent") // The codec must take what users write.
    record Everything(
            int i,
            long l,
            double d,
            boolean z,
            short s,
            byte b,
            char c,
            float f,
            Integer none,
            BigDecimal decimal,
            Instant instant,
            Duration duration,
            byte[] bytes,
            Inner inner) {}

    private static <T> UnsafeBuffer bytes(final Codec<T> codec, final T value) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        return new UnsafeBuffer(buffer, 0, codec.encode(value, buffer, 0));
    }

    private static String print(final String signature, final DirectBuffer bytes) {
        return TextCodec.of(signature).decode(bytes, 0, bytes.capacity());
    }

    private static <T> void assertText(final String text, final Codec<T> codec, final T value) {
        final UnsafeBuffer bytes = bytes(codec, value);

        assertEquals(text, print(codec.signature(), bytes));
        assertEquals(bytes, bytes(TextCodec.of(codec.signature()), text));
    }

    @Test
    void shouldReadTextsThatHaveVersions() {
        final UnsafeBuffer bytes = bytes(Codec.ofRecord(Inner.class), new Inner("x", Side.BUY));
        final String signature = Codec.ofRecord(Inner.class).signature();

        assertEquals(print(signature, bytes), print(signature.replace("Inner(", "Inner@2("), bytes));
        assertEquals("7", print("long@12", bytes(Codecs.longs(), 7L)));
        assertEquals("\"a\"", KeyText.of("string@2").print(bytes(Codecs.strings(), "a")));
    }

    @Test
    void shouldPrintAndParseWhatOurCodecsWrite() {
        assertText("-5", Codecs.longs(), -5L);
        assertText("7", Codecs.ints(), 7);
        assertText("0.5", Codecs.doubles(), 0.5);
        assertText("\"B\u00fc\\n\\\"T\\\\\"", Codecs.strings(), "B\u00fc\n\"T\\");
        assertText("0x00ff", Codecs.bytes(), new byte[] {0, -1});
        assertText(
                "Everything(i=1,l=2,d=0.1,z=true,s=3,b=4,c=\",\",f=1.5,none=null,decimal=12.50,"
                        + "instant=1970-01-01T00:00:01Z,duration=PT2S,bytes=0x01,inner=Inner(text=\"a,b)\",side=SELL))",
                Codec.ofRecord(Everything.class),
                new Everything(
                        1,
                        2,
                        0.1,
                        true,
                        (short) 3,
                        (byte) 4,
                        ',',
                        1.5f,
                        null,
                        new BigDecimal("12.50"),
                        Instant.ofEpochSecond(1),
                        Duration.ofSeconds(2),
                        new byte[] {1},
                        new Inner("a,b)", Side.SELL)));
        assertText("Inner(text=null,side=null)", Codec.ofRecord(Inner.class), new Inner(null, null));
    }

    @Test
    void shouldParseWithoutQuotesAndNames() {
        assertEquals(bytes(Codecs.strings(), "BTC"), bytes(TextCodec.of("string"), "BTC"));
        assertEquals(
                bytes(Codec.ofRecord(Inner.class), new Inner("x", Side.BUY)),
                bytes(TextCodec.of(Codec.ofRecord(Inner.class).signature()), "(x,side=BUY)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "long; x; 'x' is no long",
                "boolean; yes; 'yes' is no boolean",
                "T(a:int); T(1; ')' is missing at 3 in 'T(1'",
                "T(a:int); T(1)x; nothing may follow at 4 in 'T(1)x'",
                "T(a:enum(A,B)); (C); 'C' is none of [A, B]",
                "unknown; 12; '12' does not begin with 0x"
            })
    void shouldTellWhyATextIsNoValue(final String signature, final String text, final String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> bytes(TextCodec.of(signature), text))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "(",
                ")",
                "x(",
                "a:b:c",
                "T(a)",
                "T(a:)",
                "T(a:int",
                "T(a:int))",
                "enum(",
                "ttl(",
                "()",
                "T(a:what)"
            })
    void shouldPrintInHexadecimalWhatASignatureDoesNotExplain(final String signature) {
        assertEquals("0x0102", print(signature, new UnsafeBuffer(new byte[] {1, 2})));
    }

    @Test
    void shouldPrintInHexadecimalWhatIsNotAsItsSignatureSays() {
        final Random random = new Random(SEED);
        final String signature = Codec.ofRecord(Everything.class).signature();
        for (int round = 0; round < 2000; round++) {
            final UnsafeBuffer bytes = bytes(Codec.ofRecord(Inner.class), new Inner("text", Side.BUY));
            bytes.putByte(random.nextInt(bytes.capacity()), (byte) random.nextInt());
            print(Codec.ofRecord(Inner.class).signature(), bytes);
            final byte[] any = new byte[random.nextInt(100)];
            random.nextBytes(any);
            print(signature, new UnsafeBuffer(any));
        }
        assertEquals("0x010203", print("long", new UnsafeBuffer(new byte[] {1, 2, 3})));
        assertEquals("0xff", print("string", new UnsafeBuffer(new byte[] {-1})));
        assertTrue(print("(".repeat(5000), new UnsafeBuffer(new byte[1])).startsWith("0x"));
        assertTrue(print("T(a:".repeat(5000), new UnsafeBuffer(new byte[1])).startsWith("0x"));
    }

    @Test
    void shouldPrintTheTablesOfListsMapsWindowsAndStamps() {
        final UnsafeBuffer listKey = new UnsafeBuffer(new byte[7]);
        listKey.putInt(0, 3, ByteOrder.LITTLE_ENDIAN);
        listKey.putBytes(4, "BTC".getBytes(StandardCharsets.UTF_8));
        final UnsafeBuffer mapKey = new UnsafeBuffer(new byte[15]);
        mapKey.putInt(0, 3, ByteOrder.LITTLE_ENDIAN);
        mapKey.putBytes(4, "BTC".getBytes(StandardCharsets.UTF_8));
        mapKey.putLong(7, 9, ByteOrder.LITTLE_ENDIAN);
        final UnsafeBuffer stamped = new UnsafeBuffer(new byte[16]);
        stamped.putLong(0, 5, ByteOrder.LITTLE_ENDIAN);
        stamped.putLong(8, 6, ByteOrder.LITTLE_ENDIAN);
        final KeyText list = KeyText.of("(index:int)string");
        final KeyText map = KeyText.of("(key:string)long");

        assertEquals("(index=3)\"BTC\"", list.print(listKey));
        assertEquals("\"BTC\" -> 9", map.print(mapKey));
        assertEquals("(stamp=5)6", print("ttl(long)", stamped));
        assertEquals("6", print("position:long", new UnsafeBuffer(stamped, 8, 8)));
        assertTrue(list.isOf(listKey, list.parse("BTC")));
        assertTrue(map.isOf(mapKey, map.parse("\"BTC\"")));
        assertFalse(map.isOf(mapKey, map.parse("BTX")));
        assertFalse(map.isOf(new UnsafeBuffer(new byte[2]), map.parse("")));
        assertEquals("0x0102", map.print(new UnsafeBuffer(new byte[] {1, 2})));
        assertEquals("0x0102", list.print(new UnsafeBuffer(new byte[] {1, 2})));
    }
}
