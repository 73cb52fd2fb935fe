package io.weir.engine.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The ids that are past: the retained completed checkpoints, and the last few aborted ones. */
final class PastCheckpoints {
    /** Aborted ids remembered, so that what late acknowledgements bring can be deleted. */
    static final int MAX_REMEMBERED_ABORTS = 256;

    private final int retained;
    private final Deque<Long> completed;
    private final Set<Long> aborted = new LinkedHashSet<>();

    PastCheckpoints(List<Long> completedIds, int retained) {
        this.completed = new ArrayDeque<>(completedIds);
        this.retained = retained;
    }

    long latestId() {
        return completed.isEmpty() ? CheckpointHistory.NO_CHECKPOINT : completed.getLast();
    }

    boolean isCompleted(long checkpointId) {
        return completed.contains(checkpointId);
    }

    boolean isAborted(long checkpointId) {
        return aborted.contains(checkpointId);
    }

    void complete(long checkpointId) {
        assert checkpointId > latestId() : checkpointId + " completed after " + latestId();
        completed.addLast(checkpointId);
    }

    void dropExcess(List<CoordinatorAction> actions) {
        while (completed.size() > retained) {
            actions.add(new CoordinatorAction.Drop(completed.removeFirst()));
        }
    }

    void dropAll(List<CoordinatorAction> actions) {
        while (!completed.isEmpty()) {
            actions.add(new CoordinatorAction.Drop(completed.removeFirst()));
        }
    }

    void rememberAborted(long checkpointId) {
        aborted.add(checkpointId);
        if (aborted.size() > MAX_REMEMBERED_ABORTS) {
            aborted.remove(aborted.iterator().next());
        }
    }
}
