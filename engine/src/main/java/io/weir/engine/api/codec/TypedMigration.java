package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.Migration;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Reads one version with its codec, and leaves the others to another migration. One task per instance.
 *
 * @param <F> type of the old values.
 * @param <T> type of the values of today.
 */
public final class TypedMigration<F, T> implements Migration<T> {
    private final int version;
    private final Codec<F> codec;
    private final MapFunction<? super F, ? extends T> function;
    private final Migration<T> others;

    /**
     * A migration.
     *
     * @param version that it reads, at least 1.
     * @param codec of that version.
     * @param function makes a value of today from an old one.
     * @param others reads other versions, null if none does.
     */
    public TypedMigration(
            final int version,
            final Codec<F> codec,
            final MapFunction<? super F, ? extends T> function,
            final Migration<T> others) {
        if (version < 1) {
            throw new IllegalArgumentException("fromVersion=" + version + " must be >= 1");
        }
        this.version = version;
        this.codec = Objects.requireNonNull(codec, "codec");
        this.function = Objects.requireNonNull(function, "function");
        this.others = others;
    }

    @Override
    public T migrate(final int fromVersion, final DirectBuffer old) throws Exception {
        if (fromVersion == version) {
            return function.map(codec.decode(old, 0, old.capacity()));
        }
        if (others == null) {
            throw new IllegalArgumentException("version " + fromVersion + " is not read, only " + version);
        }
        return others.migrate(fromVersion, old);
    }

    @Override
    public boolean reads(final int fromVersion, final String layout) {
        return fromVersion == version
                ? isAlike(codec.signature().substring(codec.id().length()), layout)
                : others != null && others.reads(fromVersion, layout);
    }

    /** Codecs without a layout in their signature can't be compared. */
    private static boolean isAlike(final String mine, final String kept) {
        return mine.isEmpty() || kept.isEmpty() || withoutNames(mine).equals(withoutNames(kept));
    }

    /** A layout without the names of the records in it: the old one's class has another name than the new one's. */
    private static String withoutNames(final String layout) {
        return layout.replaceAll("\\b(?!enum\\()[\\w$]+\\(", "(");
    }

    @Override
    public Migration<T> forTask() {
        return new TypedMigration<>(version, codec.forTask(), function, others == null ? null : others.forTask());
    }
}
