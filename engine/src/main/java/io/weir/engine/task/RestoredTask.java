package io.weir.engine.task;

import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import io.weir.storage.state.KeyedStateStore;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a task takes over from its part of a checkpoint besides keyed state. */
final class RestoredTask {
    static final String LIST_STATE = "operator/";
    static final String WATERMARK = "task/watermark";

    private final Map<String, List<byte[]>> listState = new HashMap<>();
    private long watermarkNs = Long.MIN_VALUE;

    /** Reads a segment: keyed state into the store, the rest into this. */
    void read(final SegmentReader segment, final KeyedStateStore store) {
        store.restore(segment);
        for (final Section section : segment.sections()) {
            if (section.name().startsWith(LIST_STATE)) {
                final List<byte[]> elements = listState.computeIfAbsent(section.name(), name -> new ArrayList<>());
                segment.forEach(section.name(), (keyGroup, buffer, offset, length) -> {
                    final byte[] element = new byte[length];
                    buffer.getBytes(offset, element);
                    elements.add(element);
                });
            } else if (section.name().equals(WATERMARK)) {
                segment.forEach(
                        WATERMARK,
                        (keyGroup, buffer, offset, length) ->
                                watermarkNs = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN));
            }
        }
    }

    List<byte[]> list(final String uid, final String name) {
        return listState.getOrDefault(LIST_STATE + uid + "/" + name, List.of());
    }

    /** All list state by section name: what a task that was restored as finished hands on as it is. */
    Map<String, List<byte[]>> all() {
        return listState;
    }

    long watermarkNs() {
        return watermarkNs;
    }
}
