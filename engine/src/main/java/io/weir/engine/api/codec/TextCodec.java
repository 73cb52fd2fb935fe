package io.weir.engine.api.codec;

import io.weir.engine.api.Codec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Values as text, for who knows no more of them than the signature of their codec. Strings are in quotes, byte arrays and values
 * that the signature does not explain are {@code 0x} and hexadecimal digits, records are {@code Trade(symbol="A",price=1)}. What
 * is printed can be parsed; quotes, and names in records, may be left out there. One task per instance.
 */
public final class TextCodec implements Codec<String> {
    private static final String TTL = "ttl(";
    private static final String NOTHING = "nothing";

    private final String signature;
    private final Form form;

    private TextCodec(final String signature, final Form form) {
        this.signature = signature;
        this.form = form;
    }

    /**
     * The codec of a signature.
     *
     * @param signature of any codec, or its text in a checkpoint, where versions stand behind ids.
     * @return a codec that tells values of ours as they are, and all others in hexadecimal.
     */
    public static TextCodec of(final String signature) {
        final String plain = SignatureParser.withoutVersions(signature);
        return new TextCodec(plain, form(plain));
    }

    private static Form form(final String signature) {
        if (signature.startsWith(TTL) && signature.endsWith(")")) {
            return new Stamped(form(signature.substring(TTL.length(), signature.length() - 1)));
        }
        final int prefixEnd = prefixEnd(signature);
        if (prefixEnd > 0 && prefixEnd < signature.length()) {
            final TextLayout prefix = SignatureParser.parse(signature.substring(0, prefixEnd));
            return prefix == null ? Whole.HEX : new Prefixed(prefix, form(signature.substring(prefixEnd)));
        }
        return switch (signature) {
            case "string" -> Whole.STRING;
            case "bytes" -> Whole.HEX;
            case NOTHING -> Whole.NOTHING;
            default -> {
                // A single value may have a name: "position:long".
                final String type = signature.matches("[A-Za-z0-9_]+:[a-z]+")
                        ? signature.substring(signature.indexOf(':') + 1)
                        : signature;
                final TextLayout layout = SignatureParser.parse(type);
                yield layout == null ? Whole.HEX : new Laid(layout);
            }
        };
    }

    /** Behind the bracket that closes the one at the beginning; 0 if a signature does not begin with one. */
    static int prefixEnd(final String signature) {
        int depth = 0;
        for (int i = 0; i < signature.length() && (i == 0 ? signature.charAt(0) == '(' : true); i++) {
            final char c = signature.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public String signature() {
        return signature;
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the text is no such value; the message says why.
     */
    @Override
    public int encode(final String value, final MutableDirectBuffer buffer, final int offset) {
        return form.parse(value, buffer, offset);
    }

    /** Prints a value; in hexadecimal if the bytes are not what the signature says. */
    @Override
    public String decode(final DirectBuffer buffer, final int offset, final int length) {
        try {
            return form.print(buffer, offset, length);
        } catch (final IllegalArgumentException e) {
            return Whole.HEX.print(buffer, offset, length);
        }
    }

    @Override
    public Codec<String> forTask() {
        return of(signature);
    }

    @Override
    public String toString() {
        return signature;
    }

    /** How a value takes all of its bytes. */
    private interface Form {
        String print(DirectBuffer buffer, int offset, int length);

        int parse(String text, MutableDirectBuffer buffer, int offset);
    }

    /** Bytes without any structure. */
    private enum Whole implements Form {
        STRING {
            @Override
            public String print(final DirectBuffer buffer, final int offset, final int length) {
                return TextScanner.quoted(new Utf8().read(buffer, offset, length));
            }

            @Override
            public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
                return new Utf8().write(isQuoted(text) ? word(text) : text, buffer, offset);
            }
        },
        HEX {
            @Override
            public String print(final DirectBuffer buffer, final int offset, final int length) {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                return SignatureParser.hex(bytes);
            }

            @Override
            public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
                final byte[] bytes = SignatureParser.toBytes(text);
                buffer.putBytes(offset, bytes);
                return bytes.length;
            }
        },
        NOTHING {
            @Override
            public String print(final DirectBuffer buffer, final int offset, final int length) {
                return length == 0 ? TextCodec.NOTHING : HEX.print(buffer, offset, length);
            }

            @Override
            public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
                return 0;
            }
        };

        private static boolean isQuoted(final String text) {
            return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        }

        private static String word(final String text) {
            final TextScanner scanner = new TextScanner(text);
            final String word = scanner.word();
            scanner.expectEnd();
            return word;
        }
    }

    /** A value of a layout. */
    private record Laid(TextLayout layout) implements Form {
        @Override
        public String print(final DirectBuffer buffer, final int offset, final int length) {
            final int end = layout.end(buffer, offset, offset + length);
            if (end != offset + length) {
                throw new IllegalArgumentException("ends after " + (end - offset) + " of " + length + " bytes");
            }
            final StringBuilder text = new StringBuilder();
            layout.print(buffer, offset, end, text);
            return text.toString();
        }

        @Override
        public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
            final TextScanner scanner = new TextScanner(text);
            final int length = layout.parse(scanner, buffer, offset);
            scanner.expectEnd();
            return length;
        }
    }

    /** A value behind others, as the keys of windows and lists are. */
    private record Prefixed(TextLayout prefix, Form rest) implements Form {
        @Override
        public String print(final DirectBuffer buffer, final int offset, final int length) {
            final int end = prefix.end(buffer, offset, offset + length);
            final StringBuilder text = new StringBuilder();
            prefix.print(buffer, offset, end, text);
            return text + rest.print(buffer, end, offset + length - end);
        }

        @Override
        public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
            throw new IllegalArgumentException("'" + text + "' can't be parsed");
        }
    }

    /** A value behind the time from which its life counts. */
    private record Stamped(Form rest) implements Form {
        @Override
        public String print(final DirectBuffer buffer, final int offset, final int length) {
            Layout.need("stamp", Long.BYTES, offset, offset + length);
            final long stamp = buffer.getLong(offset, java.nio.ByteOrder.LITTLE_ENDIAN);
            return "(stamp=" + stamp + ')' + rest.print(buffer, offset + Long.BYTES, length - Long.BYTES);
        }

        @Override
        public int parse(final String text, final MutableDirectBuffer buffer, final int offset) {
            throw new IllegalArgumentException("'" + text + "' can't be parsed");
        }
    }
}
