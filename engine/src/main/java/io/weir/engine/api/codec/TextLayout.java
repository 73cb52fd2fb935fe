package io.weir.engine.api.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.List;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Reads and writes as text what a layout holds, known by its signature alone. */
abstract class TextLayout {
    /** Finds the end of a value, as {@link Layout#end}. */
    abstract int end(DirectBuffer buffer, int offset, int limit);

    /** Appends the value in [offset, end). */
    abstract void print(DirectBuffer buffer, int offset, int end, StringBuilder text);

    /** Writes the value that the text goes on with and returns its length in bytes. */
    abstract int parse(TextScanner text, MutableDirectBuffer buffer, int offset);

    /** A value that has a layout of its own. */
    static final class Leaf<T> extends TextLayout {
        private final Layout<T> layout;
        private final Function<T, String> printer;
        private final Function<String, T> parser;

        Leaf(final Layout<T> layout, final Function<T, String> printer, final Function<String, T> parser) {
            this.layout = layout;
            this.printer = printer;
            this.parser = parser;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return layout.end(buffer, offset, limit);
        }

        @Override
        void print(final DirectBuffer buffer, final int offset, final int end, final StringBuilder text) {
            text.append(printer.apply(layout.read(buffer, offset, end)));
        }

        @Override
        int parse(final TextScanner text, final MutableDirectBuffer buffer, final int offset) {
            final String word = text.word();
            try {
                return layout.write(parser.apply(word), buffer, offset);
            } catch (final RuntimeException e) {
                throw new IllegalArgumentException("'" + word + "' is no " + layout.type(), e);
            }
        }
    }

    /** A value or null. */
    static final class Nullable extends TextLayout {
        private static final String NULL = "null";

        private final TextLayout layout;

        Nullable(final TextLayout layout) {
            this.layout = layout;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            final int start = Layout.need("value", 1, offset, limit);
            final byte present = buffer.getByte(offset);
            if (present != 0 && present != 1) {
                throw new IllegalArgumentException("byte " + present + " is neither present (1) nor null (0)");
            }
            return present == 0 ? start : layout.end(buffer, start, limit);
        }

        @Override
        void print(final DirectBuffer buffer, final int offset, final int end, final StringBuilder text) {
            if (buffer.getByte(offset) == 0) {
                text.append(NULL);
            } else {
                layout.print(buffer, offset + 1, end, text);
            }
        }

        @Override
        int parse(final TextScanner text, final MutableDirectBuffer buffer, final int offset) {
            final boolean isPresent = !text.take(NULL);
            buffer.putByte(offset, (byte) (isPresent ? 1 : 0));
            return isPresent ? 1 + layout.parse(text, buffer, offset + 1) : 1;
        }
    }

    /** A constant of an enum, by its ordinal. */
    static final class Constant extends TextLayout {
        private final List<String> names;

        Constant(final List<String> names) {
            this.names = names;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return Layout.need("enum", Short.BYTES, offset, limit);
        }

        @Override
        void print(final DirectBuffer buffer, final int offset, final int end, final StringBuilder text) {
            final int ordinal = buffer.getShort(offset, LITTLE_ENDIAN);
            if (ordinal < 0 || ordinal >= names.size()) {
                throw new IllegalArgumentException("ordinal " + ordinal + " is none of " + names);
            }
            text.append(names.get(ordinal));
        }

        @Override
        int parse(final TextScanner text, final MutableDirectBuffer buffer, final int offset) {
            final String word = text.word();
            if (!names.contains(word)) {
                throw new IllegalArgumentException("'" + word + "' is none of " + names);
            }
            buffer.putShort(offset, (short) names.indexOf(word), LITTLE_ENDIAN);
            return Short.BYTES;
        }
    }

    /** Values one after another. */
    static final class Components extends TextLayout {
        private final String type;
        private final List<String> names;
        private final List<TextLayout> layouts;

        Components(final String type, final List<String> names, final List<TextLayout> layouts) {
            this.type = type;
            this.names = names;
            this.layouts = layouts;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            int position = offset;
            for (final TextLayout layout : layouts) {
                position = layout.end(buffer, position, limit);
            }
            return position;
        }

        @Override
        void print(final DirectBuffer buffer, final int offset, final int end, final StringBuilder text) {
            text.append(type).append('(');
            int position = offset;
            for (int i = 0; i < layouts.size(); i++) {
                final int next = layouts.get(i).end(buffer, position, end);
                text.append(i == 0 ? "" : ",").append(names.get(i)).append('=');
                layouts.get(i).print(buffer, position, next, text);
                position = next;
            }
            text.append(')');
        }

        @Override
        int parse(final TextScanner text, final MutableDirectBuffer buffer, final int offset) {
            text.take(type);
            text.expect('(');
            int position = offset;
            for (int i = 0; i < layouts.size(); i++) {
                if (i > 0) {
                    text.expect(',');
                }
                text.take(names.get(i) + "=");
                position += layouts.get(i).parse(text, buffer, position);
            }
            text.expect(')');
            return position - offset;
        }
    }
}
