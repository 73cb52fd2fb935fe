package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A codec of records whose fields stand one behind the other, as {@link FieldWriter} lays them out.
 *
 * @param <T> type of the records.
 */
final class FieldCodec<T> implements Codec<T> {
    private final String signature;
    private final BiConsumer<FieldWriter, T> writing;
    private final Function<FieldReader, T> reading;
    private final FieldWriter writer = new FieldWriter();
    private final FieldReader reader = new FieldReader();

    FieldCodec(
            final String signature, final BiConsumer<FieldWriter, T> writing, final Function<FieldReader, T> reading) {
        this.signature = signature;
        this.writing = writing;
        this.reading = reading;
    }

    @Override
    public String signature() {
        return signature;
    }

    @Override
    public int encode(final T value, final MutableDirectBuffer buffer, final int offset) {
        writing.accept(writer.wrap(buffer, offset), value);
        return writer.length();
    }

    @Override
    public T decode(final DirectBuffer buffer, final int offset, final int length) {
        try {
            final T value = reading.apply(reader.wrap(buffer, offset, length));
            reader.finish();
            return value;
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("no " + signature + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Codec<T> forTask() {
        return new FieldCodec<>(signature, writing, reading);
    }
}
