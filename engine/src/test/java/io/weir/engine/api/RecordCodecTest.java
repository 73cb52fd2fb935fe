package io.weir.engine.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class RecordCodecTest {
    private static final long SEED = System.nanoTime();

    enum Side {
        BUY,
        SELL
    }

    record Money(String currency, BigDecimal amount) {}

    record Everything(
            int i,
            long l,
            double d,
            boolean z,
            short s,
            byte b,
            char c,
            float f,
            Integer boxedInt,
            Long boxedLong,
            Double boxedDouble,
            Boolean boxedBoolean,
            Short boxedShort,
            Byte boxedByte,
            Character boxedChar,
            Float boxedFloat,
            String text,
            Side side,
            BigDecimal decimal,
            Instant instant,
            Duration duration,
            Money money) {}

    record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("value=" + value + " must be > 0");
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // The codec must take what users write.
    record Blob(byte[] bytes, int tail) {}

    record Empty() {}

    record Linked(int value, Linked next) {}

    record Generic<A>(A value) {}

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @Test
    void shouldNameRecordComponentsAndTypesInTheSignature() {
        assertEquals(
                "Money(currency:string?,amount:decimal?)",
                Codec.ofRecord(Money.class).signature());
        assertEquals("Blob(bytes:bytes?,tail:int)", Codec.ofRecord(Blob.class).signature());
        assertTrue(Codec.ofRecord(Everything.class).signature().contains("side:enum(BUY,SELL)?,decimal:decimal?"));
    }

    @Test
    void shouldTakeFewBytes() {
        final Codec<Money> codec = Codec.ofRecord(Money.class);

        assertEquals(1 + 4 + 3 + 1 + 1 + 1 + 3, codec.encode(new Money("USD", new BigDecimal("1234.56")), buffer, 0));
        assertEquals(2, codec.encode(new Money(null, null), buffer, 0));
        assertEquals(0, Codec.ofRecord(Empty.class).encode(new Empty(), buffer, 0));
    }

    @Test
    void shouldReadBackWhatItWrote() {
        final Random random = new Random(SEED);
        final Codec<Everything> codec = Codec.ofRecord(Everything.class);
        for (int i = 0; i < 5_000; i++) {
            final Everything value = everything(random);
            final int offset = random.nextInt(20);

            final int length = codec.encode(value, buffer, offset);

            assertEquals(value, codec.decode(buffer, offset, length), () -> "seed=" + SEED);
        }
    }

    @Test
    void shouldGiveEqualBytesForEqualValuesAndOtherBytesForOthers() {
        final Random random = new Random(SEED);
        final Codec<Everything> one = Codec.ofRecord(Everything.class);
        final Codec<Everything> other = one.forTask();
        final ExpandableArrayBuffer second = new ExpandableArrayBuffer();
        for (int i = 0; i < 1_000; i++) {
            final long seed = random.nextLong();

            final byte[] first = bytes(one, everything(new Random(seed)), buffer);

            assertArrayEquals(first, bytes(other, everything(new Random(seed)), second), () -> "seed=" + SEED);
            assertTrue(
                    !Arrays.equals(first, bytes(other, everything(new Random(seed + 1)), second)),
                    () -> "seed=" + SEED);
        }
    }

    @Test
    void shouldRefuseEveryShorterAndLongerForm() {
        final Random random = new Random(SEED);
        final Codec<Everything> codec = Codec.ofRecord(Everything.class);
        for (int i = 0; i < 50; i++) {
            final int length = codec.encode(everything(random), buffer, 0);
            for (int cut = 0; cut < length; cut++) {
                final int shorter = cut;
                assertThrows(
                        IllegalArgumentException.class, () -> codec.decode(buffer, 0, shorter), () -> "seed=" + SEED);
            }
            final IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, 0, length + 3));
            assertTrue(
                    e.getMessage().contains("ends after " + length + " of " + (length + 3) + " bytes"), e.getMessage());
        }
    }

    @Test
    void shouldReadAnyBytesOrRefuseThemWithAReason() {
        final Random random = new Random(SEED);
        final Codec<Everything> codec = Codec.ofRecord(Everything.class);
        final ExpandableArrayBuffer again = new ExpandableArrayBuffer();
        int readable = 0;
        for (int i = 0; i < 20_000; i++) {
            final int length = codec.encode(everything(random), buffer, 0);
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                buffer.putByte(random.nextInt(length), (byte) random.nextInt(256));
            }
            final byte[] bytes = new byte[length];
            buffer.getBytes(0, bytes);
            try {
                final Everything value = codec.decode(new UnsafeBuffer(bytes), 0, length);
                // One value has one form, but for the bits of a NaN.
                if (!isNan(value)) {
                    assertArrayEquals(bytes, bytes(codec, value, again), () -> "seed=" + SEED);
                }
                readable++;
            } catch (final IllegalArgumentException e) {
                assertTrue(e.getMessage() != null && !e.getMessage().isBlank(), () -> "seed=" + SEED);
            }
        }
        assertTrue(readable > 0 && readable < 20_000, "readable=" + readable + " seed=" + SEED);
    }

    @Test
    void shouldNameTheComponentWhoseBytesAreWrong() {
        final Codec<Money> codec = Codec.ofRecord(Money.class);
        final int length = codec.encode(new Money("EUR", BigDecimal.ONE), buffer, 0);
        buffer.putByte(8, (byte) 7);

        final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, 0, length));

        assertEquals("Money.amount: byte 7 is neither present (1) nor null (0)", e.getMessage());
    }

    @Test
    void shouldRefuseValuesThatTheConstructorRefuses() {
        final Codec<Positive> codec = Codec.ofRecord(Positive.class);
        buffer.putInt(0, -5);

        final IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> codec.decode(buffer, 0, 4));

        assertEquals("no Positive: value=-5 must be > 0", e.getMessage());
    }

    @Test
    void shouldCopyByteArrays() {
        final Codec<Blob> codec = Codec.ofRecord(Blob.class);
        final int length = codec.encode(new Blob(new byte[] {1, 2, 3}, 9), buffer, 0);

        final Blob blob = codec.decode(buffer, 0, length);
        buffer.setMemory(0, length, (byte) 0);

        assertArrayEquals(new byte[] {1, 2, 3}, blob.bytes());
        assertEquals(9, blob.tail());
    }

    @Test
    void shouldRefuseRecordsWithoutALayoutByName() {
        assertTrue(refusal(Linked.class).contains("Linked holds itself"));
        assertTrue(refusal(Generic.class).contains("component value of record"));
        assertTrue(refusal(Generic.class).contains("java.lang.Object"));
    }

    @Test
    void shouldRefuseStringsThatHaveNoUtf8Form() {
        final Codec<Money> codec = Codec.ofRecord(Money.class);

        final IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> codec.encode(new Money("a\uD800b", null), buffer, 0));

        assertEquals("a string with an unpaired surrogate at index 1 has no UTF-8 form", e.getMessage());
    }

    @Test
    void shouldGiveEachTaskItsOwn() {
        final Codec<Money> codec = Codec.ofRecord(Money.class);

        assertNotSame(codec, codec.forTask());
        assertEquals(codec.signature(), codec.forTask().signature());
    }

    private static String refusal(final Class<? extends Record> type) {
        return assertThrows(IllegalArgumentException.class, () -> Codec.ofRecord(type))
                .getMessage();
    }

    private static <T> byte[] bytes(final Codec<T> codec, final T value, final ExpandableArrayBuffer target) {
        final byte[] bytes = new byte[codec.encode(value, target, 0)];
        target.getBytes(0, bytes);
        return bytes;
    }

    private static boolean isNan(final Everything value) {
        return Double.isNaN(value.d())
                || Float.isNaN(value.f())
                || (value.boxedDouble() != null && value.boxedDouble().isNaN())
                || (value.boxedFloat() != null && value.boxedFloat().isNaN());
    }

    private static Everything everything(final Random random) {
        return new Everything(
                random.nextInt(),
                random.nextLong(),
                random.nextInt(10) == 0 ? Double.NaN : random.nextDouble(),
                random.nextBoolean(),
                (short) random.nextInt(),
                (byte) random.nextInt(),
                (char) random.nextInt(),
                random.nextFloat(),
                random.nextBoolean() ? null : random.nextInt(),
                random.nextBoolean() ? null : random.nextLong(),
                random.nextBoolean() ? null : random.nextGaussian(),
                random.nextBoolean() ? null : random.nextBoolean(),
                random.nextBoolean() ? null : (short) random.nextInt(),
                random.nextBoolean() ? null : (byte) random.nextInt(),
                random.nextBoolean() ? null : (char) random.nextInt(),
                random.nextBoolean() ? null : random.nextFloat(),
                random.nextInt(4) == 0 ? null : text(random),
                random.nextInt(4) == 0 ? null : Side.values()[random.nextInt(2)],
                random.nextInt(4) == 0 ? null : decimal(random),
                random.nextInt(4) == 0 ? null : Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                random.nextInt(4) == 0 ? null : Duration.ofNanos(random.nextLong()),
                random.nextInt(4) == 0 ? null : new Money(text(random), decimal(random)));
    }

    private static String text(final Random random) {
        final StringBuilder text = new StringBuilder();
        final List<Integer> ranges = List.of(0x80, 0x800, 0xD800, 0x110000);
        final int range = ranges.get(random.nextInt(ranges.size()));
        for (int i = random.nextInt(30); i > 0; i--) {
            final int codePoint = random.nextInt(range);
            text.appendCodePoint(codePoint >= 0xD800 && codePoint < 0xE000 ? 'x' : codePoint);
        }
        return text.toString();
    }

    private static BigDecimal decimal(final Random random) {
        final int scale = random.nextInt(5) == 0 ? random.nextInt() : random.nextInt(20) - 5;
        return new BigDecimal(new BigInteger(random.nextInt(130), random).subtract(BigInteger.valueOf(50)), scale);
    }
}
