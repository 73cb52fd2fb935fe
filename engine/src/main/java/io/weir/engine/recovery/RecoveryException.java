package io.weir.engine.recovery;

/** A checkpoint can't be restored into the job: the message names the checkpoint and what does not fit. */
public final class RecoveryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the checkpoint and what does not fit.
     */
    public RecoveryException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the checkpoint and what does not fit.
     * @param cause of the error.
     */
    public RecoveryException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
