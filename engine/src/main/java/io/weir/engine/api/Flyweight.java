package io.weir.engine.api;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A value of fixed length that is a view over bytes: reading it copies nothing and allocates nothing. A class extends this with
 * one accessor per field, and gets its codec from {@link Codecs#flyweight}:
 *
 * <pre>{@code
 * final class Tick extends Flyweight {
 *     static final int LENGTH = 16;
 *
 *     long id() {
 *         return getLong(0);
 *     }
 *
 *     long priceTicks() {
 *         return getLong(8);
 *     }
 * }
 *
 * Codec<Tick> ticks = Codecs.flyweight("Tick(id:long,priceTicks:long)", Tick.LENGTH, Tick::new);
 * }</pre>
 *
 * <p>What was decoded from an edge or a log is read-only by convention: it may be the log's own memory. What comes from keyed
 * state is a copy, so that an accumulator may be changed in place. One thread at a time.
 */
public abstract class Flyweight {
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    /** A view over nothing: {@link #wrap} or {@link #allocate} it. */
    protected Flyweight() {}

    /**
     * Moves the view.
     *
     * @param buffer to look at.
     * @param offset of the value.
     * @param length of the value in bytes.
     */
    public final void wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
    }

    /**
     * Gives the view memory of its own, all zero.
     *
     * @param length of the value in bytes.
     */
    public final void allocate(final int length) {
        view.wrap(new byte[length]);
    }

    /**
     * Sets all bytes to zero.
     */
    public final void reset() {
        view.setMemory(0, view.capacity(), (byte) 0);
    }

    /**
     * Copies the bytes out.
     *
     * @param target to write to.
     * @param offset at which to start.
     * @return bytes written.
     */
    public final int copyTo(final MutableDirectBuffer target, final int offset) {
        target.putBytes(offset, view, 0, view.capacity());
        return view.capacity();
    }

    /**
     * Reads a field.
     *
     * @param field offset in the value.
     * @return the number.
     */
    protected final long getLong(final int field) {
        return view.getLong(field, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Writes a field.
     *
     * @param field offset in the value.
     * @param value the number.
     */
    protected final void putLong(final int field, final long value) {
        view.putLong(field, value, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a field.
     *
     * @param field offset in the value.
     * @return the number.
     */
    protected final int getInt(final int field) {
        return view.getInt(field, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Writes a field.
     *
     * @param field offset in the value.
     * @param value the number.
     */
    protected final void putInt(final int field, final int value) {
        view.putInt(field, value, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a field.
     *
     * @param field offset in the value.
     * @return the number.
     */
    protected final double getDouble(final int field) {
        return view.getDouble(field, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Writes a field.
     *
     * @param field offset in the value.
     * @param value the number.
     */
    protected final void putDouble(final int field, final double value) {
        view.putDouble(field, value, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a field.
     *
     * @param field offset in the value.
     * @return the number.
     */
    protected final byte getByte(final int field) {
        return view.getByte(field);
    }

    /**
     * Writes a field.
     *
     * @param field offset in the value.
     * @param value the number.
     */
    protected final void putByte(final int field, final byte value) {
        view.putByte(field, value);
    }
}
