package io.weir.engine.api.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Layouts of the JDK's types. */
final class Layouts {
    private Layouts() {}

    /** {@code [length, 4][UTF-8]}. */
    static final class Text extends Layout<String> {
        private final Utf8 utf8 = new Utf8();

        @Override
        String type() {
            return "string";
        }

        @Override
        int write(final String value, final MutableDirectBuffer buffer, final int offset) {
            final int length = utf8.write(value, buffer, offset + Integer.BYTES);
            buffer.putInt(offset, length, LITTLE_ENDIAN);
            return Integer.BYTES + length;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            final int start = need("string's length", Integer.BYTES, offset, limit);
            return need("string", buffer.getInt(offset, LITTLE_ENDIAN), start, limit);
        }

        @Override
        String read(final DirectBuffer buffer, final int offset, final int end) {
            final int start = offset + Integer.BYTES;
            return utf8.read(buffer, start, end - start);
        }

        @Override
        Layout<String> forTask() {
            return new Text();
        }
    }

    /** {@code [length, 4][bytes]}. */
    static final class Bytes extends Layout<byte[]> {
        @Override
        String type() {
            return "bytes";
        }

        @Override
        int write(final byte[] value, final MutableDirectBuffer buffer, final int offset) {
            buffer.putInt(offset, value.length, LITTLE_ENDIAN);
            buffer.putBytes(offset + Integer.BYTES, value);
            return Integer.BYTES + value.length;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            final int start = need("byte array's length", Integer.BYTES, offset, limit);
            return need("byte array", buffer.getInt(offset, LITTLE_ENDIAN), start, limit);
        }

        @Override
        byte[] read(final DirectBuffer buffer, final int offset, final int end) {
            final byte[] value = new byte[end - offset - Integer.BYTES];
            buffer.getBytes(offset + Integer.BYTES, value);
            return value;
        }
    }

    /** {@code [ordinal, 2]}; the signature names the constants, so that a reordered enum is found out. */
    static final class Constant<E extends Enum<E>> extends Layout<E> {
        private final E[] constants;
        private final String type;

        Constant(final Class<E> enumType) {
            this.constants = enumType.getEnumConstants();
            final StringBuilder names = new StringBuilder("enum(");
            for (int i = 0; i < constants.length; i++) {
                names.append(i == 0 ? "" : ",").append(constants[i].name());
            }
            this.type = names.append(')').toString();
        }

        @Override
        String type() {
            return type;
        }

        @Override
        @SuppressWarnings(
                "EnumOrdinal") // The signature names the constants in order, so the ordinal is a stable name here.
        int write(final E value, final MutableDirectBuffer buffer, final int offset) {
            buffer.putShort(offset, (short) value.ordinal(), LITTLE_ENDIAN);
            return Short.BYTES;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return need(type, Short.BYTES, offset, limit);
        }

        @Override
        E read(final DirectBuffer buffer, final int offset, final int end) {
            final int ordinal = buffer.getShort(offset, LITTLE_ENDIAN);
            if (ordinal < 0 || ordinal >= constants.length) {
                throw new IllegalArgumentException("ordinal " + ordinal + " is none of " + type);
            }
            return constants[ordinal];
        }
    }

    /** {@code [seconds of the epoch, 8][nanoseconds, 4]}. */
    static final class Moment extends Layout<Instant> {
        @Override
        String type() {
            return "instant";
        }

        @Override
        int write(final Instant value, final MutableDirectBuffer buffer, final int offset) {
            return Seconds.write(value.getEpochSecond(), value.getNano(), buffer, offset);
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return need("instant", Seconds.LENGTH, offset, limit);
        }

        @Override
        Instant read(final DirectBuffer buffer, final int offset, final int end) {
            final int nanos = Seconds.nanos(buffer, offset);
            try {
                return Instant.ofEpochSecond(buffer.getLong(offset, LITTLE_ENDIAN), nanos);
            } catch (final DateTimeException e) {
                throw new IllegalArgumentException("no instant: " + e.getMessage(), e);
            }
        }
    }

    /** {@code [seconds, 8][nanoseconds, 4]}. */
    static final class Span extends Layout<Duration> {
        @Override
        String type() {
            return "duration";
        }

        @Override
        int write(final Duration value, final MutableDirectBuffer buffer, final int offset) {
            return Seconds.write(value.getSeconds(), value.getNano(), buffer, offset);
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return need("duration", Seconds.LENGTH, offset, limit);
        }

        @Override
        Duration read(final DirectBuffer buffer, final int offset, final int end) {
            return Duration.ofSeconds(buffer.getLong(offset, LITTLE_ENDIAN), Seconds.nanos(buffer, offset));
        }
    }

    /** What instants and durations share. */
    private static final class Seconds {
        static final int LENGTH = Long.BYTES + Integer.BYTES;
        private static final int MAX_NANOS = 999_999_999;

        private Seconds() {}

        static int write(final long seconds, final int nanos, final MutableDirectBuffer buffer, final int offset) {
            buffer.putLong(offset, seconds, LITTLE_ENDIAN);
            buffer.putInt(offset + Long.BYTES, nanos, LITTLE_ENDIAN);
            return LENGTH;
        }

        static int nanos(final DirectBuffer buffer, final int offset) {
            final int nanos = buffer.getInt(offset + Long.BYTES, LITTLE_ENDIAN);
            if (nanos < 0 || nanos > MAX_NANOS) {
                throw new IllegalArgumentException("nanoseconds " + nanos + " must be in [0, " + MAX_NANOS + "]");
            }
            return nanos;
        }
    }
}
