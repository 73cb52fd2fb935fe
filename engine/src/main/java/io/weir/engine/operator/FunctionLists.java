package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Codec;
import io.weir.engine.api.ListState;
import io.weir.engine.api.OperatorStates;
import io.weir.storage.state.CodecText;
import io.weir.storage.state.StateException;
import io.weir.storage.state.StateUpgrade;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lists of an operator's function. In snapshots they are two lists of the operator, by how they are redistributed, whose
 * elements tell by themselves where they belong:
 *
 * <pre>
 *   [length, 4][name, UTF-8][length, 4][text of the codec, UTF-8][element]
 * </pre>
 *
 * Task thread only.
 */
final class FunctionLists implements OperatorStates {
    static final String SPLIT = "function.split";
    static final String UNION = "function.union";

    private final OperatorContext context;
    private final CheckpointedFunction function;
    private final Map<String, FunctionList<?>> lists = new LinkedHashMap<>();
    private final Map<String, FunctionList<?>> unionLists = new LinkedHashMap<>();
    private final List<Element> restored = new ArrayList<>();
    private final List<Element> restoredOfAll = new ArrayList<>();

    private FunctionLists(final OperatorContext context, final CheckpointedFunction function) {
        this.context = context;
        this.function = function;
        context.restored(SPLIT).forEach(element -> restored.add(Element.decode(element)));
        context.restoredOfAll(UNION).forEach(element -> restoredOfAll.add(Element.decode(element)));
    }

    /** Initializes a function, if it is a {@link CheckpointedFunction}. */
    static FunctionLists initialize(final Object function, final OperatorContext context) throws Exception {
        final CheckpointedFunction checkpointed = function instanceof CheckpointedFunction c ? c : null;
        final FunctionLists states = new FunctionLists(context, checkpointed);
        if (checkpointed != null) {
            checkpointed.initialize(states);
        }
        states.refuseUnclaimed(states.lists, states.restored);
        states.refuseUnclaimed(states.unionLists, states.restoredOfAll);
        states.restored.clear();
        states.restoredOfAll.clear();
        return states;
    }

    @Override
    public <V> ListState<V> list(final String name, final Codec<V> codec) {
        return give(name, codec, lists, restored);
    }

    @Override
    public <V> ListState<V> unionList(final String name, final Codec<V> codec) {
        return give(name, codec, unionLists, restoredOfAll);
    }

    /** The cut. */
    void snapshot(final OperatorSnapshot snapshot) throws Exception {
        if (function == null) {
            return;
        }
        function.snapshot(snapshot.checkpointId());
        snapshot(SPLIT, lists, snapshot);
        snapshot(UNION, unionLists, snapshot);
    }

    private static void snapshot(
            final String kind, final Map<String, FunctionList<?>> from, final OperatorSnapshot snapshot) {
        final List<byte[]> elements = new ArrayList<>();
        from.forEach((name, list) -> {
            for (final byte[] element : list.elements()) {
                elements.add(new Element(name, list.codecText(), element).encode());
            }
        });
        if (!elements.isEmpty()) {
            snapshot.listState(kind, elements);
        }
    }

    private <V> ListState<V> give(
            final String name,
            final Codec<V> codec,
            final Map<String, FunctionList<?>> given,
            final List<Element> elements) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a list of operator " + context.uid() + " needs a name");
        }
        if (lists.containsKey(name) || unionLists.containsKey(name)) {
            throw new IllegalArgumentException("operator " + context.uid() + " asks for list '" + name
                    + "' twice: ask once, in initialize, and keep it in a field");
        }
        final String list = "list '" + name + "' of operator " + context.uid();
        final CodecMigration<V> migration = CodecMigration.of(list, null, codec, 0);
        final String text = CodecTexts.of(codec);
        final List<byte[]> mine = new ArrayList<>();
        for (final Element element : elements) {
            if (element.name.equals(name)) {
                if (!element.codec.equals(text)) {
                    StateUpgrade.checkVersions(list, "codec", element.codec, text, migration);
                    mine.add(element.migrated(migration, mine.size()));
                } else {
                    mine.add(element.bytes);
                }
            }
        }
        final FunctionList<V> restoredList = new FunctionList<>(codec.forTask(), mine);
        given.put(name, restoredList);
        return restoredList;
    }

    private void refuseUnclaimed(final Map<String, FunctionList<?>> given, final List<Element> elements) {
        final Set<String> unclaimed = new TreeSet<>();
        elements.forEach(element -> unclaimed.add(element.name));
        unclaimed.removeAll(given.keySet());
        if (!unclaimed.isEmpty() && !context.leavesUnclaimedState()) {
            throw new StateException(
                    "the checkpoint has the lists " + unclaimed + " of operator " + context.uid()
                            + " that its function does not ask for as they are; Restore.allowUnmatchedState leaves them behind");
        }
    }

    /** An element as it is in a snapshot. */
    private static final class Element {
        private final String name;
        private final String codec;
        private final byte[] bytes;

        Element(final String name, final String codec, final byte[] bytes) {
            this.name = name;
            this.codec = codec;
            this.bytes = bytes;
        }

        static Element decode(final byte[] encoded) {
            final UnsafeBuffer buffer = new UnsafeBuffer(encoded);
            final String name = buffer.getStringUtf8(0, LITTLE_ENDIAN);
            final int codecOffset = Integer.BYTES + buffer.getInt(0, LITTLE_ENDIAN);
            final String codec = buffer.getStringUtf8(codecOffset, LITTLE_ENDIAN);
            final int offset = codecOffset + Integer.BYTES + buffer.getInt(codecOffset, LITTLE_ENDIAN);
            final byte[] bytes = new byte[encoded.length - offset];
            buffer.getBytes(offset, bytes);
            return new Element(name, codec, bytes);
        }

        byte[] migrated(final CodecMigration<?> migration, final int index) {
            final ExpandableArrayBuffer target = new ExpandableArrayBuffer(64);
            final int length = migration.migrate(
                    CodecText.parse(codec).version(), new UnsafeBuffer(bytes), target, () -> "element " + index);
            final byte[] migrated = new byte[length];
            target.getBytes(0, migrated);
            return migrated;
        }

        byte[] encode() {
            final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(128);
            int length = buffer.putStringUtf8(0, name, LITTLE_ENDIAN);
            length += buffer.putStringUtf8(length, codec, LITTLE_ENDIAN);
            buffer.putBytes(length, bytes);
            length += bytes.length;
            final byte[] encoded = new byte[length];
            buffer.getBytes(0, encoded);
            return encoded;
        }
    }
}
