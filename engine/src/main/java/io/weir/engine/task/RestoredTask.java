package io.weir.engine.task;

import io.weir.engine.operator.Redistribution;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a task takes over from its part of a checkpoint besides keyed state. */
final class RestoredTask {
    static final String LIST_STATE = "operator/";
    static final String BROADCAST_STATE = "broadcast/";
    static final String WATERMARK = "task/watermark";

    private final int subtask;
    private final int parallelism;
    private final List<Map<String, List<byte[]>>> listStates = new ArrayList<>();
    private final Map<String, List<byte[]>> broadcastStates = new LinkedHashMap<>();
    private long watermarkNs = Long.MIN_VALUE;
    private boolean hasWatermark;

    RestoredTask(final int subtask, final int parallelism) {
        this.subtask = subtask;
        this.parallelism = parallelism;
    }

    /** Reads the watermark of a segment: of several, the task takes the least, since its records are of all of them. */
    void readWatermark(final SegmentReader segment) {
        for (final Section section : segment.sections()) {
            if (section.name().equals(WATERMARK)) {
                segment.forEach(
                        WATERMARK,
                        (keyGroup, buffer, offset, length) ->
                                addWatermark(buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN)));
            }
        }
    }

    private void addWatermark(final long ofPartNs) {
        watermarkNs = hasWatermark ? Math.min(watermarkNs, ofPartNs) : ofPartNs;
        hasWatermark = true;
    }

    /** Reads the list state of a segment. Once for each subtask of the checkpoint, in order. */
    void readLists(final SegmentReader segment) {
        listStates.add(lists(segment, LIST_STATE));
    }

    /** Reads the broadcast state of a segment. Once, of the subtask that this one takes it from. */
    void readBroadcast(final SegmentReader segment) {
        broadcastStates.putAll(lists(segment, BROADCAST_STATE));
    }

    private static Map<String, List<byte[]>> lists(final SegmentReader segment, final String prefix) {
        final Map<String, List<byte[]>> lists = new LinkedHashMap<>();
        for (final Section section : segment.sections()) {
            if (section.name().startsWith(prefix)) {
                final List<byte[]> elements = new ArrayList<>();
                segment.forEach(
                        section.name(),
                        (keyGroup, buffer, offset, length) -> elements.add(Bytes.copy(buffer, offset, length)));
                lists.put(section.name(), elements);
            }
        }
        return lists;
    }

    /** Whether the checkpoint was taken with another parallelism. */
    boolean isRescaled() {
        return !listStates.isEmpty() && listStates.size() != parallelism;
    }

    List<byte[]> list(final String uid, final String name) {
        return split(LIST_STATE + uid + "/" + name);
    }

    List<byte[]> listOfAll(final String uid, final String name) {
        return Redistribution.union(ofSubtasks(LIST_STATE + uid + "/" + name));
    }

    /** Hands out broadcast state, so that this no longer holds it. */
    List<byte[]> takeBroadcast(final String uid, final String name) {
        final List<byte[]> taken = broadcastStates.remove(BROADCAST_STATE + uid + "/" + name);
        return taken == null ? List.of() : taken;
    }

    /** The broadcast states that nobody has taken, as {@code uid/name}. */
    List<String> unclaimedBroadcast() {
        return broadcastStates.keySet().stream()
                .map(section -> section.substring(BROADCAST_STATE.length()))
                .sorted()
                .toList();
    }

    /** This task's lists by section name: what a task that was restored as finished hands on as it is. */
    Map<String, List<byte[]>> all() {
        final Map<String, List<byte[]>> mine = new LinkedHashMap<>();
        for (final Map<String, List<byte[]>> lists : listStates) {
            lists.keySet().forEach(section -> mine.computeIfAbsent(section, this::split));
        }
        mine.putAll(broadcastStates);
        return mine;
    }

    private List<byte[]> split(final String section) {
        return listStates.isEmpty() ? List.of() : Redistribution.split(ofSubtasks(section), subtask, parallelism);
    }

    private List<List<byte[]>> ofSubtasks(final String section) {
        final List<List<byte[]>> ofSubtasks = new ArrayList<>();
        listStates.forEach(lists -> ofSubtasks.add(lists.getOrDefault(section, List.of())));
        return ofSubtasks;
    }

    long watermarkNs() {
        return watermarkNs;
    }
}
