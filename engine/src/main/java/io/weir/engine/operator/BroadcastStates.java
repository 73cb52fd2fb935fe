package io.weir.engine.operator;

import io.weir.engine.api.BroadcastState;
import io.weir.engine.api.BroadcastStateDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The broadcast states of an operator. Task thread only. */
final class BroadcastStates {
    private final String uid;
    private final Map<String, HeapBroadcastState<?, ?>> byName = new LinkedHashMap<>();

    BroadcastStates(final OperatorContext context, final List<BroadcastStateDescriptor<?, ?>> descriptors) {
        uid = context.uid();
        for (final BroadcastStateDescriptor<?, ?> descriptor : descriptors) {
            final List<byte[]> restored = context.restoredBroadcast(descriptor.name());
            byName.put(descriptor.name(), new HeapBroadcastState<>(uid, descriptor, restored));
        }
    }

    @SuppressWarnings("unchecked") // The descriptor is the state's own, or names the same codecs.
    <K, V> BroadcastState<K, V> get(final BroadcastStateDescriptor<K, V> descriptor) {
        final HeapBroadcastState<?, ?> state = byName.get(descriptor.name());
        if (state == null || (!state.descriptor().equals(descriptor) && !isAlike(state.descriptor(), descriptor))) {
            throw new IllegalArgumentException("operator " + uid + " has no broadcast state " + show(descriptor)
                    + ": give its descriptor to broadcast(..); it has "
                    + byName.values().stream()
                            .map(each -> show(each.descriptor()))
                            .toList());
        }
        return (BroadcastState<K, V>) state;
    }

    /** The cut. */
    void snapshot(final OperatorSnapshot snapshot) {
        byName.forEach((name, state) -> snapshot.broadcastState(name, state.elements()));
    }

    private static boolean isAlike(final BroadcastStateDescriptor<?, ?> a, final BroadcastStateDescriptor<?, ?> b) {
        return CodecTexts.of(a.keys()).equals(CodecTexts.of(b.keys()))
                && CodecTexts.of(a.values()).equals(CodecTexts.of(b.values()));
    }

    private static String show(final BroadcastStateDescriptor<?, ?> descriptor) {
        return "'" + descriptor.name() + "' of " + CodecTexts.of(descriptor.keys()) + " -> "
                + CodecTexts.of(descriptor.values());
    }
}
