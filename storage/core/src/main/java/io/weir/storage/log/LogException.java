package io.weir.storage.log;

/** A log can't be used: the message names the log, the place and the reason. */
public final class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the log, the place and the reason.
     */
    public LogException(final String message) {
        this(message, null, false);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the log, the place and the reason.
     * @param cause of the error.
     */
    public LogException(final String message, final Throwable cause) {
        this(message, cause, false);
    }

    private LogException(final String message, final Throwable cause, final boolean permanent) {
        super(message, cause);
        this.permanent = permanent;
    }

    /**
     * An error that comes back however often it is tried again, such as a record that is too long.
     *
     * @param message that names the log, the place and the reason.
     * @return the exception.
     */
    public static LogException permanent(final String message) {
        return new LogException(message, null, true);
    }

    /**
     * Whether it is of no use to try again.
     *
     * @return true if so.
     */
    public boolean isPermanent() {
        return permanent;
    }
}
