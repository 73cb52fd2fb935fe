package io.weir.engine.api.codec;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Finds the layout that a signature describes, without the classes of its values. */
final class SignatureParser {
    private static final int MAX_DEPTH = 64;

    private final String signature;
    private int position;
    private int depth;

    private SignatureParser(final String signature) {
        this.signature = signature;
    }

    /** What checkpoints keep of a codec, without the versions that stand behind ids. */
    static String withoutVersions(final String codecText) {
        return codecText.replaceAll("@[0-9]+(?=[()]|$)", "");
    }

    /** The layout, null if the signature describes none of ours. */
    static TextLayout parse(final String signature) {
        final SignatureParser parser = new SignatureParser(signature);
        final TextLayout layout = parser.type();
        return layout != null && parser.position == signature.length() ? layout : null;
    }

    private TextLayout type() {
        final String name = name();
        if (position < signature.length() && signature.charAt(position) == '(') {
            if (++depth > MAX_DEPTH) {
                return null;
            }
            position++;
            final TextLayout layout = name.equals("enum") ? constants() : components(name);
            depth--;
            return layout;
        }
        return leaf(name);
    }

    /** What stands before the next bracket, colon, comma or question mark. */
    private String name() {
        final int start = position;
        while (position < signature.length() && "(),:?".indexOf(signature.charAt(position)) < 0) {
            position++;
        }
        return signature.substring(start, position);
    }

    private boolean take(final char c) {
        final boolean isNext = position < signature.length() && signature.charAt(position) == c;
        position += isNext ? 1 : 0;
        return isNext;
    }

    private TextLayout constants() {
        final List<String> names = new ArrayList<>();
        do {
            names.add(name());
        } while (take(','));
        return take(')') ? new TextLayout.Constant(names) : null;
    }

    private TextLayout components(final String type) {
        final List<String> names = new ArrayList<>();
        final List<TextLayout> layouts = new ArrayList<>();
        if (take(')')) {
            return new TextLayout.Components(type, names, layouts);
        }
        do {
            names.add(name());
            final TextLayout layout = take(':') ? type() : null;
            if (layout == null) {
                return null;
            }
            layouts.add(take('?') ? new TextLayout.Nullable(layout) : layout);
        } while (take(','));
        return take(')') ? new TextLayout.Components(type, names, layouts) : null;
    }

    private static TextLayout leaf(final String type) {
        return switch (type) {
            case "long" -> new TextLayout.Leaf<>(primitive(Long.class), String::valueOf, Long::valueOf);
            case "int" -> new TextLayout.Leaf<>(primitive(Integer.class), String::valueOf, Integer::valueOf);
            case "short" -> new TextLayout.Leaf<>(primitive(Short.class), String::valueOf, Short::valueOf);
            case "byte" -> new TextLayout.Leaf<>(primitive(Byte.class), String::valueOf, Byte::valueOf);
            case "double" -> new TextLayout.Leaf<>(primitive(Double.class), String::valueOf, Double::valueOf);
            case "float" -> new TextLayout.Leaf<>(primitive(Float.class), String::valueOf, Float::valueOf);
            case "boolean" ->
                new TextLayout.Leaf<>(primitive(Boolean.class), String::valueOf, SignatureParser::toBoolean);
            case "char" ->
                new TextLayout.Leaf<>(
                        primitive(Character.class),
                        c -> TextScanner.quoted(String.valueOf(c)),
                        SignatureParser::toCharacter);
            case "string" -> new TextLayout.Leaf<>(new Layouts.Text(), TextScanner::quoted, word -> word);
            case "bytes" -> new TextLayout.Leaf<>(new Layouts.Bytes(), SignatureParser::hex, SignatureParser::toBytes);
            case "decimal" -> new TextLayout.Leaf<>(new DecimalLayout(), BigDecimal::toString, BigDecimal::new);
            case "instant" -> new TextLayout.Leaf<>(new Layouts.Moment(), Instant::toString, Instant::parse);
            case "duration" -> new TextLayout.Leaf<>(new Layouts.Span(), Duration::toString, Duration::parse);
            default -> null;
        };
    }

    @SuppressWarnings("unchecked") // The layout was looked up by the box.
    private static <T> Layout<T> primitive(final Class<T> box) {
        return (Layout<T>) PrimitiveLayout.BY_BOX.get(box);
    }

    static String hex(final byte[] bytes) {
        return "0x" + HexFormat.of().formatHex(bytes);
    }

    static byte[] toBytes(final String word) {
        if (!word.startsWith("0x")) {
            throw new IllegalArgumentException("'" + word + "' does not begin with 0x");
        }
        return HexFormat.of().parseHex(word.substring(2));
    }

    private static Boolean toBoolean(final String word) {
        if (!word.equals("true") && !word.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return word.equals("true");
    }

    private static Character toCharacter(final String word) {
        if (word.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return word.charAt(0);
    }
}
