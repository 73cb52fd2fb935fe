package io.weir.engine.operator;

import io.weir.engine.api.Codec;
import io.weir.engine.api.ListState;
import java.util.List;
import java.util.Objects;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A list of one subtask's function, as bytes. */
final class FunctionList<V> implements ListState<V> {
    private final Codec<V> codec;
    private final List<byte[]> elements;
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(64);

    FunctionList(final Codec<V> codec, final List<byte[]> elements) {
        this.codec = codec;
        this.elements = elements;
    }

    String codecText() {
        return CodecTexts.of(codec);
    }

    /** The elements as they are now; none of the arrays is changed afterwards. */
    List<byte[]> elements() {
        return elements;
    }

    @Override
    public void add(final V value) {
        final byte[] element = new byte[codec.encode(value, encoded, 0)];
        encoded.getBytes(0, element);
        elements.add(element);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public V get(final int index) {
        Objects.checkIndex(index, elements.size());
        final byte[] copy = elements.get(index).clone();
        return codec.decode(new UnsafeBuffer(copy), 0, copy.length);
    }

    @Override
    public void clear() {
        elements.clear();
    }
}
