package io.weir.engine.task;

import io.weir.engine.operator.Redistribution;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What a task takes over from its part of a checkpoint besides keyed state. */
final class RestoredTask {
    static final String LIST_STATE = "operator/";
    static final String BROADCAST_STATE = "broadcast/";
    static final String WATERMARK = "task/watermark";

    private final int subtask;
    private final int parallelism;

    /** The lists of the tasks that had been one vertex, by the uids of its operators. */
    private final Map<String, Former> formers = new HashMap<>();

    private final Map<String, Former> vertices = new LinkedHashMap<>();
    private final Map<String, List<byte[]>> broadcastStates = new LinkedHashMap<>();
    private long watermarkNs = Long.MIN_VALUE;
    private boolean hasWatermark;
    private boolean leavesUnclaimed;

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

    /** Reads the list state of a segment, of some operators. Once for each subtask of the checkpoint, in order. */
    void readLists(final SegmentReader segment, final TaskPart saved, final Predicate<String> accepted) {
        final Former former = vertices.computeIfAbsent(saved.vertexUid(), uid -> new Former(new ArrayList<>()));
        former.subtasks().add(lists(segment, LIST_STATE, accepted));
        saved.operatorUids().forEach(uid -> formers.put(uid, former));
    }

    /** Reads the broadcast state of a segment, of some operators. Once, of the subtask that this one takes it from. */
    void readBroadcast(final SegmentReader segment, final Predicate<String> accepted) {
        broadcastStates.putAll(lists(segment, BROADCAST_STATE, accepted));
    }

    private static Map<String, List<byte[]>> lists(
            final SegmentReader segment, final String prefix, final Predicate<String> accepted) {
        final Map<String, List<byte[]>> lists = new LinkedHashMap<>();
        for (final Section section : segment.sections()) {
            if (section.name().startsWith(prefix)
                    && accepted.test(section.name().substring(prefix.length()))) {
                final List<byte[]> elements = new ArrayList<>();
                segment.forEach(
                        section.name(),
                        (keyGroup, buffer, offset, length) -> elements.add(Bytes.copy(buffer, offset, length)));
                lists.put(section.name(), elements);
            }
        }
        return lists;
    }

    /** State that no operator asks for is left behind. */
    void leaveUnclaimed() {
        leavesUnclaimed = true;
    }

    boolean leavesUnclaimed() {
        return leavesUnclaimed;
    }

    /** Whether the checkpoint was taken with another parallelism of an operator. */
    boolean isRescaled(final String uid) {
        final Former former = formers.get(uid);
        return former != null && former.subtasks().size() != parallelism;
    }

    List<byte[]> list(final String uid, final String name) {
        final Former former = formers.get(uid);
        return former == null ? List.of() : former.split(LIST_STATE + uid + "/" + name, subtask, parallelism);
    }

    List<byte[]> listOfAll(final String uid, final String name) {
        final Former former = formers.get(uid);
        return former == null ? List.of() : Redistribution.union(former.ofSubtasks(LIST_STATE + uid + "/" + name));
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

    /** Leaves behind the broadcast state that nobody has taken. */
    void dropUnclaimedBroadcast() {
        broadcastStates.clear();
    }

    /** This task's lists by section name: what a task that was restored as finished hands on as it is. */
    Map<String, List<byte[]>> all() {
        final Map<String, List<byte[]>> mine = new LinkedHashMap<>();
        for (final Former former : vertices.values()) {
            for (final Map<String, List<byte[]>> lists : former.subtasks()) {
                lists.keySet()
                        .forEach(section ->
                                mine.computeIfAbsent(section, absent -> former.split(absent, subtask, parallelism)));
            }
        }
        mine.putAll(broadcastStates);
        return mine;
    }

    long watermarkNs() {
        return watermarkNs;
    }

    /**
     * The lists of the tasks of a former vertex.
     *
     * @param subtasks by section name, for each subtask in order.
     */
    private record Former(List<Map<String, List<byte[]>>> subtasks) {
        List<byte[]> split(final String section, final int subtask, final int parallelism) {
            return Redistribution.split(ofSubtasks(section), subtask, parallelism);
        }

        List<List<byte[]>> ofSubtasks(final String section) {
            return subtasks.stream()
                    .map(lists -> lists.getOrDefault(section, List.of()))
                    .toList();
        }
    }
}
