package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * What a section of a task's segment holds of lists and broadcast states, told from its bytes alone: they say by themselves
 * how they are named and coded. One section, its entries in order; one thread.
 */
public final class SubtaskLists {
    /** How the sections of a task's segment are called. */
    private static final String OPERATOR = "operator/";

    private static final String BROADCAST = "broadcast/";
    private static final String UNKNOWN = "?";

    private final Map<String, Summary> byName = new LinkedHashMap<>();
    private final Kind kind;
    private final String operator;
    private final String broadcastName;

    /** How the elements come back at another parallelism. */
    public enum Kind {
        /** Spread over the subtasks. */
        SPLIT,
        /** All to each subtask. */
        UNION,
        /** One subtask's whole to each. */
        BROADCAST
    }

    /**
     * A list or a broadcast state of one subtask.
     *
     * @param kind tells how it is redistributed.
     * @param name whole, {@code uid/name}.
     * @param keyCodec text of the codec of a broadcast state's keys, empty for lists.
     * @param valueCodec text of the codec of elements or values, {@code ?} if the bytes do not tell.
     * @param entries that it has.
     */
    public record Summary(Kind kind, String name, String keyCodec, String valueCodec, long entries) {
        private Summary oneMore() {
            return new Summary(kind, name, keyCodec, valueCodec, entries + 1);
        }
    }

    private SubtaskLists(final Kind kind, final String operator, final String broadcastName) {
        this.kind = kind;
        this.operator = operator;
        this.broadcastName = broadcastName;
    }

    /**
     * Begins with a section.
     *
     * @param section name of it.
     * @return takes its entries; null if the section holds nothing of the kind.
     */
    public static SubtaskLists of(final String section) {
        if (section.startsWith(OPERATOR)) {
            final String list = section.substring(OPERATOR.length());
            if (list.endsWith("/" + FunctionLists.SPLIT)) {
                return new SubtaskLists(Kind.SPLIT, operator(list, FunctionLists.SPLIT), null);
            }
            if (list.endsWith("/" + FunctionLists.UNION)) {
                return new SubtaskLists(Kind.UNION, operator(list, FunctionLists.UNION), null);
            }
        } else if (section.startsWith(BROADCAST)) {
            return new SubtaskLists(Kind.BROADCAST, null, section.substring(BROADCAST.length()));
        }
        return null;
    }

    private static String operator(final String list, final String kind) {
        return list.substring(0, list.length() - kind.length());
    }

    /**
     * Takes the next entry.
     *
     * @param buffer that holds it.
     * @param offset of the entry.
     * @param length of the entry in bytes.
     */
    public void add(final DirectBuffer buffer, final int offset, final int length) {
        if (kind == Kind.BROADCAST) {
            final Summary known = byName.get(broadcastName);
            if (known != null) {
                byName.put(broadcastName, known.oneMore());
            } else {
                // The first entry names the codecs.
                final String[] codecs = texts(buffer, offset, length);
                byName.put(broadcastName, new Summary(kind, broadcastName, codecs[0], codecs[1], 0));
            }
            return;
        }
        final String[] texts = texts(buffer, offset, length);
        final String name = operator + texts[0];
        byName.put(
                name + '\n' + texts[1],
                byName.getOrDefault(name + '\n' + texts[1], new Summary(kind, name, "", texts[1], 0))
                        .oneMore());
    }

    /** The two texts that an entry begins with. */
    private static String[] texts(final DirectBuffer buffer, final int offset, final int length) {
        final String[] texts = {UNKNOWN, UNKNOWN};
        int at = offset;
        for (int i = 0; i < texts.length; i++) {
            final int left = offset + length - at - Integer.BYTES;
            if (left < 0) {
                break;
            }
            final int textLength = buffer.getInt(at, LITTLE_ENDIAN);
            if (textLength < 0 || textLength > left) {
                break;
            }
            texts[i] = buffer.getStringUtf8(at, LITTLE_ENDIAN);
            at += Integer.BYTES + textLength;
        }
        return texts;
    }

    /**
     * What the entries were.
     *
     * @return by name, in the order of the first entries.
     */
    public List<Summary> summaries() {
        return new ArrayList<>(byName.values());
    }
}
