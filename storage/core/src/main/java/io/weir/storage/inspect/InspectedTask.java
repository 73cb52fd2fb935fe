package io.weir.storage.inspect;

import io.weir.storage.snapshot.Manifest;
import java.util.List;

/**
 * One task's part of a checkpoint.
 *
 * @param name of the task, {@code vertex/subtask}, or of its segment where the manifest is lost.
 * @param part as the manifest says, null where that is lost.
 * @param firstKeyGroup of those that the task owned.
 * @param endKeyGroup behind the last of them; 0 where the manifest is lost.
 * @param segment its own, null if it has none.
 * @param chain the shared ones, oldest first.
 * @param tables states and timers.
 * @param sections all else.
 */
public record InspectedTask(
        String name,
        Manifest.TaskPart part,
        int firstKeyGroup,
        int endKeyGroup,
        InspectedFile segment,
        List<InspectedFile> chain,
        List<InspectedTable> tables,
        List<InspectedSection> sections) {
    /** Copies the lists. */
    public InspectedTask {
        chain = List.copyOf(chain);
        tables = List.copyOf(tables);
        sections = List.copyOf(sections);
    }
}
