package io.weir.engine.cli.job;

/** A job's folder or its export can't be used: the message names the place and the reason. */
public final class JobFolderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the place and the reason.
     */
    public JobFolderException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the place and the reason.
     * @param cause of the error.
     */
    public JobFolderException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
