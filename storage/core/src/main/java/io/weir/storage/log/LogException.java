package io.weir.storage.log;

/** A log can't be used: the message names the log, the place and the reason. */
public final class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the log, the place and the reason.
     */
    public LogException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the log, the place and the reason.
     * @param cause of the error.
     */
    public LogException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
