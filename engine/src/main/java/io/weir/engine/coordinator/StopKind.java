package io.weir.engine.coordinator;

/** How a job is to stop. */
public enum StopKind {
    /** Behind a last checkpoint. */
    SUSPEND(CheckpointKind.LAST_CHECKPOINT, false),

    /** Behind a savepoint. */
    SUSPEND_WITH_SAVEPOINT(CheckpointKind.LAST_SAVEPOINT, false),

    /** Its sources end as if their data had; behind a last checkpoint of what came of it. */
    DRAIN(CheckpointKind.LAST_CHECKPOINT, true),

    /** Its sources end as if their data had; behind a savepoint of what came of it. */
    DRAIN_WITH_SAVEPOINT(CheckpointKind.LAST_SAVEPOINT, true);

    private final CheckpointKind last;
    private final boolean drains;

    StopKind(CheckpointKind last, boolean drains) {
        this.last = last;
        this.drains = drains;
    }

    CheckpointKind last() {
        return last;
    }

    /**
     * Tells what becomes of the input.
     *
     * @return whether the sources end.
     */
    public boolean drains() {
        return drains;
    }
}
