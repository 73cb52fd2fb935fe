package io.weir.storage.checkpoint;

/** The checkpoint store can't be used: the message names the place and the reason. */
public final class CheckpointStorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the place and the reason.
     */
    public CheckpointStorageException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the place and the reason.
     * @param cause of the error.
     */
    public CheckpointStorageException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
