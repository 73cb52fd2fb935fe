package io.weir.engine.coordinator;

/** What a checkpoint is taken for. */
public enum CheckpointKind {
    /** For the job itself to go on from after a failure. */
    CHECKPOINT(false, false),

    /** As {@link #CHECKPOINT}, and the job stops behind it: no task does anything after its cut. */
    LAST_CHECKPOINT(false, true),

    /**
     * For the user: it lies where the user wants it and is never deleted. It subsumes nothing and is not subsumed, no task hears of
     * its completion, and the job does not go on from it.
     */
    SAVEPOINT(true, false),

    /** For the user and for the job: the job stops behind it, and goes on from it if it fails before it has stopped. */
    LAST_SAVEPOINT(true, true);

    private final boolean savepoint;
    private final boolean last;

    CheckpointKind(boolean savepoint, boolean last) {
        this.savepoint = savepoint;
        this.last = last;
    }

    /**
     * Tells whether it is written for the user, whole and apart from the job's checkpoints.
     *
     * @return whether it is a savepoint.
     */
    public boolean isSavepoint() {
        return savepoint;
    }

    /**
     * Tells whether the job stops behind it.
     *
     * @return whether no task does anything after its cut, unless it is aborted.
     */
    public boolean isLast() {
        return last;
    }

    /**
     * Tells whether the job can go on from it: then sinks commit when it completes, and older ones are subsumed.
     *
     * @return whether it is one of the job's checkpoints.
     */
    public boolean isOfJob() {
        return this != SAVEPOINT;
    }
}
