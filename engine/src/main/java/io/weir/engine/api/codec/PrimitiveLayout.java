package io.weir.engine.api.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Boxes of the primitive types, in as many bytes as the primitive takes. */
final class PrimitiveLayout<T> extends Layout<T> {
    /** By box. */
    static final Map<Class<?>, PrimitiveLayout<?>> BY_BOX = Map.of(
            Long.class, new PrimitiveLayout<Long>("long", Long.BYTES, Primitives::putLong, Primitives::getLong),
            Integer.class, new PrimitiveLayout<Integer>("int", Integer.BYTES, Primitives::putInt, Primitives::getInt),
            Short.class, new PrimitiveLayout<Short>("short", Short.BYTES, Primitives::putShort, Primitives::getShort),
            Byte.class, new PrimitiveLayout<Byte>("byte", 1, Primitives::putByte, Primitives::getByte),
            Character.class, new PrimitiveLayout<Character>("char", 2, Primitives::putChar, Primitives::getChar),
            Boolean.class, new PrimitiveLayout<Boolean>("boolean", 1, Primitives::putBoolean, Primitives::getBoolean),
            Double.class, new PrimitiveLayout<Double>("double", 8, Primitives::putDouble, Primitives::getDouble),
            Float.class, new PrimitiveLayout<Float>("float", 4, Primitives::putFloat, Primitives::getFloat));

    private final String type;
    private final int bytes;
    private final Writer<T> writer;
    private final Reader<T> reader;

    private PrimitiveLayout(final String type, final int bytes, final Writer<T> writer, final Reader<T> reader) {
        this.type = type;
        this.bytes = bytes;
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    String type() {
        return type;
    }

    @Override
    int write(final T value, final MutableDirectBuffer buffer, final int offset) {
        writer.put(buffer, offset, value);
        return bytes;
    }

    @Override
    int end(final DirectBuffer buffer, final int offset, final int limit) {
        return need(type, bytes, offset, limit);
    }

    @Override
    T read(final DirectBuffer buffer, final int offset, final int end) {
        return reader.get(buffer, offset);
    }

    int bytes() {
        return bytes;
    }

    @FunctionalInterface
    private interface Writer<T> {
        void put(MutableDirectBuffer buffer, int offset, T value);
    }

    @FunctionalInterface
    private interface Reader<T> {
        T get(DirectBuffer buffer, int offset);
    }

    /** Primitives in bytes, little-endian; equal values, in the sense of their boxes, give equal bytes. */
    static final class Primitives {
        private Primitives() {}

        static void putLong(final MutableDirectBuffer buffer, final int offset, final long value) {
            buffer.putLong(offset, value, LITTLE_ENDIAN);
        }

        static long getLong(final DirectBuffer buffer, final int offset) {
            return buffer.getLong(offset, LITTLE_ENDIAN);
        }

        static void putInt(final MutableDirectBuffer buffer, final int offset, final int value) {
            buffer.putInt(offset, value, LITTLE_ENDIAN);
        }

        static int getInt(final DirectBuffer buffer, final int offset) {
            return buffer.getInt(offset, LITTLE_ENDIAN);
        }

        static void putShort(final MutableDirectBuffer buffer, final int offset, final short value) {
            buffer.putShort(offset, value, LITTLE_ENDIAN);
        }

        static short getShort(final DirectBuffer buffer, final int offset) {
            return buffer.getShort(offset, LITTLE_ENDIAN);
        }

        static void putByte(final MutableDirectBuffer buffer, final int offset, final byte value) {
            buffer.putByte(offset, value);
        }

        static byte getByte(final DirectBuffer buffer, final int offset) {
            return buffer.getByte(offset);
        }

        static void putChar(final MutableDirectBuffer buffer, final int offset, final char value) {
            buffer.putChar(offset, value, LITTLE_ENDIAN);
        }

        static char getChar(final DirectBuffer buffer, final int offset) {
            return buffer.getChar(offset, LITTLE_ENDIAN);
        }

        static void putBoolean(final MutableDirectBuffer buffer, final int offset, final boolean value) {
            buffer.putByte(offset, (byte) (value ? 1 : 0));
        }

        static boolean getBoolean(final DirectBuffer buffer, final int offset) {
            final byte value = buffer.getByte(offset);
            if (value != 0 && value != 1) {
                throw new IllegalArgumentException("byte " + value + " is no boolean");
            }
            return value == 1;
        }

        static void putDouble(final MutableDirectBuffer buffer, final int offset, final double value) {
            buffer.putLong(offset, Double.doubleToLongBits(value), LITTLE_ENDIAN);
        }

        static double getDouble(final DirectBuffer buffer, final int offset) {
            return Double.longBitsToDouble(buffer.getLong(offset, LITTLE_ENDIAN));
        }

        static void putFloat(final MutableDirectBuffer buffer, final int offset, final float value) {
            buffer.putInt(offset, Float.floatToIntBits(value), LITTLE_ENDIAN);
        }

        static float getFloat(final DirectBuffer buffer, final int offset) {
            return Float.intBitsToFloat(buffer.getInt(offset, LITTLE_ENDIAN));
        }
    }
}
