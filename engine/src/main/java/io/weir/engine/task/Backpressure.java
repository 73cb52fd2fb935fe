package io.weir.engine.task;

/** Whether one of a task's outputs is blocked: one flag that all its outboxes raise, so that the check costs one load. */
final class Backpressure {
    private boolean blocked;

    boolean isBlocked() {
        return blocked;
    }

    void raise() {
        blocked = true;
    }

    void clear() {
        blocked = false;
    }
}
