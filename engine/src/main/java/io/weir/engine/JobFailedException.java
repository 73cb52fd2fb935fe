package io.weir.engine;

/** A job has failed for good. The message is that of the failure. */
public final class JobFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure.
     *
     * @param message one clear line.
     * @param cause of the failure.
     */
    public JobFailedException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
