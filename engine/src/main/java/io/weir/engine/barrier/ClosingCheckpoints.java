package io.weir.engine.barrier;

import java.util.ArrayList;
import java.util.List;

/**
 * Checkpoints whose cut was made and whose channel state is not closed yet. Here is the sender's side of the late switch: a
 * barrier that is still in an outbox at the timeout overtakes there, since the receiver may be waiting for it.
 */
final class ClosingCheckpoints {
    private final List<OpenCheckpoint> closing = new ArrayList<>();

    void add(OpenCheckpoint checkpoint) {
        closing.add(checkpoint);
    }

    void remove(OpenCheckpoint checkpoint) {
        closing.remove(checkpoint);
    }

    boolean isEmpty() {
        return closing.isEmpty();
    }

    /** The checkpoint of that id, or null. */
    OpenCheckpoint find(long checkpointId) {
        for (int i = 0, size = closing.size(); i < size; i++) {
            if (closing.get(i).checkpointId() == checkpointId) {
                return closing.get(i);
            }
        }
        return null;
    }

    long deadlineNs() {
        long deadlineNs = Long.MAX_VALUE;
        for (int i = 0, size = closing.size(); i < size; i++) {
            if (closing.get(i).awaitsOutputs()) {
                deadlineNs = Math.min(deadlineNs, closing.get(i).deadlineNs());
            }
        }
        return deadlineNs;
    }

    /** Tells whether any barrier overtakes now. */
    boolean overtakeDue(long nowNs, BarrierDecision decision) {
        boolean any = false;
        for (int i = 0, size = closing.size(); i < size; i++) {
            OpenCheckpoint checkpoint = closing.get(i);
            if (checkpoint.awaitsOutputs() && nowNs >= checkpoint.deadlineNs()) {
                checkpoint.overtakeUnsent(decision);
                any = true;
            }
        }
        return any;
    }
}
