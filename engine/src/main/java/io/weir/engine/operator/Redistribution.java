package io.weir.engine.operator;

import java.util.ArrayList;
import java.util.List;

/** How the elements of list state and broadcast state come to the subtasks at a restore. Pure. */
public final class Redistribution {
    private Redistribution() {}

    /**
     * The elements of one subtask: its own as they were if the parallelism is the same, else every so many-th of all elements, so
     * that each goes to exactly one subtask and the subtasks' numbers differ by one at most.
     *
     * @param ofSubtasks the elements of each subtask that there was, in order.
     * @param subtask in [0, parallelism).
     * @param parallelism number of subtasks that there are now.
     * @param <E> type of the elements.
     * @return the elements.
     */
    public static <E> List<E> split(final List<List<E>> ofSubtasks, final int subtask, final int parallelism) {
        if (subtask < 0 || subtask >= parallelism) {
            throw new IllegalArgumentException(
                    "subtask=" + subtask + " must be in [0, parallelism=" + parallelism + ")");
        }
        if (ofSubtasks.size() == parallelism) {
            return ofSubtasks.get(subtask);
        }
        final List<E> all = union(ofSubtasks);
        final List<E> mine = new ArrayList<>();
        for (int i = subtask; i < all.size(); i += parallelism) {
            mine.add(all.get(i));
        }
        return mine;
    }

    /**
     * The elements of all subtasks.
     *
     * @param ofSubtasks the elements of each subtask that there was, in order.
     * @param <E> type of the elements.
     * @return the elements, in that order.
     */
    public static <E> List<E> union(final List<List<E>> ofSubtasks) {
        final List<E> all = new ArrayList<>();
        ofSubtasks.forEach(all::addAll);
        return all;
    }

    /**
     * The subtask whose broadcast state a subtask takes: its own, or one of those that there were if it is new.
     *
     * @param subtask at least 0.
     * @param formerParallelism number of subtasks that there were.
     * @return in [0, formerParallelism).
     */
    public static int broadcastSource(final int subtask, final int formerParallelism) {
        return subtask % formerParallelism;
    }
}
