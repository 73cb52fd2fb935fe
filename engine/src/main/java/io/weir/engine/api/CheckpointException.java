package io.weir.engine.api;

/** A checkpoint, a savepoint or a stop that was asked for came to nothing; the message says why. */
public final class CheckpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A request that failed.
     *
     * @param message one clear line.
     */
    public CheckpointException(final String message) {
        super(message);
    }
}
