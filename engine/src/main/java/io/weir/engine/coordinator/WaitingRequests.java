package io.weir.engine.coordinator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What users have asked for and not got yet. Savepoints are taken one for each request, checkpoints one for all that wait. There
 * is a bound, so that who asks faster than is answered hears of it.
 */
final class WaitingRequests {
    /** Requests that wait at once; a savepoint takes the place of a checkpoint's when there are more. */
    static final int MAX_WAITING = 1_000;

    private final Deque<Long> savepoints = new ArrayDeque<>();
    private final Deque<Long> checkpoints = new ArrayDeque<>();

    void addCheckpoint(long requestId, List<CoordinatorAction> actions) {
        if (isFull()) {
            refuse(requestId, CheckpointFailureReason.TOO_MANY_REQUESTS, actions);
        } else {
            checkpoints.add(requestId);
        }
    }

    void addSavepoint(long requestId, List<CoordinatorAction> actions) {
        if (isFull() && checkpoints.isEmpty()) {
            refuse(requestId, CheckpointFailureReason.TOO_MANY_REQUESTS, actions);
            return;
        }
        if (isFull()) {
            refuse(checkpoints.removeLast(), CheckpointFailureReason.TOO_MANY_REQUESTS, actions);
        }
        savepoints.add(requestId);
    }

    private boolean isFull() {
        return savepoints.size() + checkpoints.size() >= MAX_WAITING;
    }

    boolean hasSavepoint() {
        return !savepoints.isEmpty();
    }

    boolean hasCheckpoint() {
        return !checkpoints.isEmpty();
    }

    /** The oldest request for a savepoint, which is answered now. */
    List<Long> takeSavepoint() {
        return List.of(savepoints.remove());
    }

    /** All requests for a checkpoint, which one answers. */
    List<Long> takeCheckpoints() {
        List<Long> taken = List.copyOf(checkpoints);
        checkpoints.clear();
        return taken;
    }

    void refuseAll(CheckpointFailureReason reason, List<CoordinatorAction> actions) {
        List<Long> refused = new ArrayList<>(savepoints);
        refused.addAll(checkpoints);
        savepoints.clear();
        checkpoints.clear();
        refused.forEach(requestId -> refuse(requestId, reason, actions));
    }

    static void refuse(long requestId, CheckpointFailureReason reason, List<CoordinatorAction> actions) {
        if (requestId != CheckpointCoordinator.NO_REPLY) {
            actions.add(new CoordinatorAction.RequestFailed(requestId, reason));
        }
    }
}
