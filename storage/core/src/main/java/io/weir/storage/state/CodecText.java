package io.weir.storage.state;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the codec of a state's keys or values is named in checkpoints, which is all that storage knows of it:
 *
 * <pre>
 *   id[@version][(layout)]      long      Trade(symbol:string,price:long)      Trade@2(symbol:string,price:long,venue:int)
 * </pre>
 *
 * Version 1 is not written. What a table adds to its values or keys stands around that: {@code (slot:int)} before the codec for
 * bytes in front, {@code ttl(...)} for a stamp.
 *
 * @param before what stands before the codec, mostly empty.
 * @param id stable name of the codec.
 * @param version of the layout, at least 1.
 * @param layout with its brackets, empty if the id says it all.
 * @param after what stands behind the codec, mostly empty.
 */
public record CodecText(String before, String id, int version, String layout, String after) {
    private static final String TTL = "ttl(";
    private static final Pattern VERSIONED = Pattern.compile("(.+)@([1-9][0-9]{0,8})");

    /**
     * The text of a codec.
     *
     * @param signature id and layout.
     * @param version of the layout, at least 1.
     * @return as it is kept.
     * @throws IllegalArgumentException if the signature has a version in it, or the version is out of range.
     */
    public static String of(final String signature, final int version) {
        final CodecText plain = parse(signature);
        if (version < 1) {
            throw new IllegalArgumentException("version=" + version + " of codec " + signature + " must be >= 1");
        }
        if (plain.version != 1) {
            throw new IllegalArgumentException("signature " + signature + " must have no @ and number behind its id");
        }
        return new CodecText(plain.before, plain.id, version, plain.layout, plain.after).toString();
    }

    /**
     * Takes a text apart.
     *
     * @param text as it is kept.
     * @return its parts; {@link #toString()} is the text again.
     */
    public static CodecText parse(final String text) {
        int start = 0;
        int end = text.length();
        while (true) {
            if (text.startsWith(TTL, start) && closing(text, start + TTL.length() - 1) == end - 1) {
                start += TTL.length();
                end--;
                continue;
            }
            final int close = start < end && text.charAt(start) == '(' ? closing(text, start) : -1;
            if (close < 0 || close + 1 >= end) {
                break;
            }
            start = close + 1;
        }
        final int bracket = text.indexOf('(', start);
        final int headEnd = bracket < 0 || bracket >= end ? end : bracket;
        final Matcher versioned = VERSIONED.matcher(text.substring(start, headEnd));
        final boolean hasVersion = versioned.matches();
        return new CodecText(
                text.substring(0, start),
                hasVersion ? versioned.group(1) : text.substring(start, headEnd),
                hasVersion ? Integer.parseInt(versioned.group(2)) : 1,
                text.substring(headEnd, end),
                text.substring(end));
    }

    /** The bracket that closes the one at an index, -1 if none does. */
    private static int closing(final String text, final int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Whether this is the same codec in some version, with the same around it.
     *
     * @param other to compare with.
     * @return true if only version and layout may differ.
     */
    public boolean isVersionOf(final CodecText other) {
        return id.equals(other.id) && before.equals(other.before) && after.equals(other.after);
    }

    /**
     * The codec for messages.
     *
     * @return id and version, and the text if it says more.
     */
    public String display() {
        final String text = toString();
        return id + " version " + version + (text.equals(id) ? "" : " [" + text + "]");
    }

    /** The text as it is kept. */
    @Override
    public String toString() {
        return before + id + (version == 1 ? "" : "@" + version) + layout + after;
    }
}
