package io.weir.engine.api.codec;

/** Reads a value's text from front to back. */
final class TextScanner {
    private static final String ESCAPED = "\"\\\n\r\t";
    private static final String ESCAPES = "\"\\nrt";

    private final String text;
    private int position;

    TextScanner(final String text) {
        this.text = text;
    }

    /** A text in quotes, with escapes for what does not print. */
    static String quoted(final String text) {
        final StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            final int escape = ESCAPED.indexOf(c);
            if (escape >= 0) {
                quoted.append('\\').append(ESCAPES.charAt(escape));
            } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Takes a word if the text goes on with it. */
    boolean take(final String word) {
        final boolean isNext = text.startsWith(word, position);
        position += isNext ? word.length() : 0;
        return isNext;
    }

    void expect(final char c) {
        if (position >= text.length() || text.charAt(position) != c) {
            throw new IllegalArgumentException("'" + c + "' is missing " + where());
        }
        position++;
    }

    void expectEnd() {
        if (position < text.length()) {
            throw new IllegalArgumentException("nothing may follow " + where());
        }
    }

    /** A text in quotes, or all up to a comma or a bracket. */
    String word() {
        if (position < text.length() && text.charAt(position) == '"') {
            return quotedWord();
        }
        final int start = position;
        while (position < text.length() && ",()".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return text.substring(start, position);
    }

    private String quotedWord() {
        final StringBuilder word = new StringBuilder();
        for (position++; position < text.length() && text.charAt(position) != '"'; position++) {
            word.append(text.charAt(position) == '\\' ? escaped() : text.charAt(position));
        }
        expect('"');
        return word.toString();
    }

    private char escaped() {
        position++;
        final char c = position < text.length() ? text.charAt(position) : 0;
        final int escape = ESCAPES.indexOf(c);
        if (escape >= 0) {
            return ESCAPED.charAt(escape);
        }
        if (c == 'u' && text.substring(position + 1).matches("(?s)[0-9a-fA-F]{4}.*")) {
            position += 4;
            return (char) Integer.parseInt(text, position - 3, position + 1, 16);
        }
        throw new IllegalArgumentException("no escape " + where());
    }

    private String where() {
        return "at " + position + " in '" + text + "'";
    }
}
