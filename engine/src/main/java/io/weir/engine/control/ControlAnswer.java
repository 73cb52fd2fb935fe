package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;

/**
 * One answer, as lines: {@code = NAME VALUE} for each fact, then {@code ok}, or {@code error MESSAGE}. Values are in the encoding of
 * URLs, so that they may have any character. An answer without its last line is none.
 *
 * @param facts what was asked for.
 * @param error why it could not be done, null if it was.
 */
record ControlAnswer(List<JobFact> facts, String error) {
    private static final String FACT = "= ";
    private static final String OK = "ok";
    private static final String ERROR = "error ";

    ControlAnswer {
        facts = List.copyOf(facts);
    }

    static ControlAnswer ok(final List<JobFact> facts) {
        return new ControlAnswer(facts, null);
    }

    static ControlAnswer ok(final String name, final Object value) {
        return ok(List.of(new JobFact(name, String.valueOf(value))));
    }

    static ControlAnswer error(final String message) {
        return new ControlAnswer(List.of(), message);
    }

    String text() {
        final StringBuilder text = new StringBuilder();
        facts.forEach(fact -> text.append(FACT)
                .append(encode(fact.name()))
                .append(' ')
                .append(encode(fact.value()))
                .append('\n'));
        return text.append(error == null ? OK : ERROR + encode(error))
                .append('\n')
                .toString();
    }

    /** Reads an answer; null if its last line has not come. An {@link IllegalArgumentException} says what is none. */
    static ControlAnswer parse(final String text) {
        if (!text.endsWith("\n")) {
            return null;
        }
        final List<JobFact> facts = new ArrayList<>();
        for (final String line : text.split("\n")) {
            if (line.equals(OK)) {
                return ok(facts);
            }
            if (line.startsWith(ERROR)) {
                return error(decode(line.substring(ERROR.length())));
            }
            final int at = line.indexOf(' ', FACT.length());
            if (!line.startsWith(FACT) || at < 0) {
                throw new IllegalArgumentException("'" + line + "' is no line of an answer");
            }
            facts.add(new JobFact(decode(line.substring(FACT.length(), at)), decode(line.substring(at + 1))));
        }
        return null;
    }

    private static String encode(final String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String decode(final String text) {
        return URLDecoder.decode(text, UTF_8);
    }
}
