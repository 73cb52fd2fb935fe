package io.weir.engine.api;

import io.weir.engine.api.codec.LayoutCodec;
import io.weir.engine.api.codec.VersionedCodec;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Turns values into bytes and back, on edges between tasks, in state and in logs.
 *
 * <p>An instance is used by one task only, from one thread: see {@link #forTask()}. Records get theirs from {@link #ofRecord},
 * plain types from {@link Codecs}; a hot path that must not allocate extends {@link Flyweight} and takes its codec from {@link
 * Codecs#flyweight}.
 *
 * <p>Checkpoints keep the signature and the version of the codec of each state. A restore with the same ones takes the state as it
 * is. Values whose codec has a higher version now are migrated if it has a {@link #migration()}; everything else is refused. Keys,
 * those of maps too, are never migrated, because their bytes decide key group, hash and order.
 *
 * @param <T> type of the values.
 */
public interface Codec<T> {
    /**
     * Describes the layout, behind an id that stays as it is from version to version. Kept with state in checkpoints and compared
     * on restore, so it must change whenever the layout does, and only then. A layout stands in brackets; a codec whose signature
     * is nothing but its id says by {@link #version()} that its layout has changed.
     *
     * @return for example {@code long}, {@code string} or {@code Trade(symbol:string,price:long)}.
     */
    String signature();

    /**
     * The stable name of the codec.
     *
     * @return what stands before the first bracket in the signature.
     */
    default String id() {
        final String signature = signature();
        final int bracket = signature.indexOf('(');
        return bracket < 0 ? signature : signature.substring(0, bracket);
    }

    /**
     * The version of the layout, which rises with each change of it. A restore takes state of the same version as it is, migrates
     * that of a lower one, if there is a {@link #migration()} that reads it, and refuses the rest.
     *
     * @return at least 1.
     */
    default int version() {
        return 1;
    }

    /**
     * Reads values that older versions wrote.
     *
     * @return null if nothing does: a checkpoint with an older version is refused.
     */
    default Migration<? extends T> migration() {
        return null;
    }

    /**
     * This codec as another version, without a migration: a checkpoint with an older one is refused.
     *
     * @param version at least 1.
     * @return the codec.
     */
    default Codec<T> version(final int version) {
        return new VersionedCodec<>(this, id(), version, null);
    }

    /**
     * This codec as another version, with a migration. For example, after {@code venue} has been added to a record:
     *
     * <pre>{@code
     * record Trade(String symbol, long price, String venue) {}
     *
     * record Trade1(String symbol, long price) {} // as it was
     *
     * Codec<Trade> codec = Codec.ofRecord(Trade.class)
     *         .version(2, Migration.from(1, Codec.ofRecord(Trade1.class), old -> new Trade(old.symbol(), old.price(), "")));
     * }</pre>
     *
     * @param version at least 1.
     * @param migration reads older versions.
     * @return the codec.
     */
    default Codec<T> version(final int version, final Migration<? extends T> migration) {
        return new VersionedCodec<>(this, id(), version, Objects.requireNonNull(migration, "migration"));
    }

    /**
     * This codec under another id, as when a record's class is renamed.
     *
     * @param id letters, digits and {@code - _ . $}.
     * @return the codec.
     */
    default Codec<T> id(final String id) {
        return new VersionedCodec<>(this, id, version(), migration());
    }

    /**
     * Writes a value.
     *
     * @param value to write, not null.
     * @param buffer to write to; it grows as needed.
     * @param offset at which to start.
     * @return the number of bytes written.
     */
    int encode(T value, MutableDirectBuffer buffer, int offset);

    /**
     * Reads a value. It may be a flyweight: a view over the buffer, valid until the buffer changes, and the same object each
     * time.
     *
     * @param buffer to read from.
     * @param offset of the value.
     * @param length of the value in bytes.
     * @return the value.
     * @throws IllegalArgumentException if the bytes are no such value; the message says what is wrong with them.
     */
    T decode(DirectBuffer buffer, int offset, int length);

    /**
     * An instance for one task's own use. A codec with mutable parts (a flyweight, scratch space) gives a new one.
     *
     * @return this, or a fresh instance with the same signature.
     */
    default Codec<T> forTask() {
        return this;
    }

    /**
     * Derives a codec from the components of a record class: {@code int, long, double, boolean, short, byte, char, float}, their
     * boxes, {@code String, BigDecimal, Instant, Duration, byte[]}, enums, and records of these; all but the primitives may be
     * null.
     *
     * @param type of the records.
     * @param <R> type of the records.
     * @return the codec.
     * @throws IllegalArgumentException if a component has another type, or the record class cannot be accessed; the message
     *     names it.
     */
    static <R extends Record> Codec<R> ofRecord(final Class<R> type) {
        return LayoutCodec.find(type);
    }
}
