package io.weir.engine.control;

/** A job can't be served, can't be reached, or has answered that it could not do what was asked: the message says it all. */
public final class ControlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message for people.
     */
    public ControlException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message for people.
     * @param cause of the error.
     */
    public ControlException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
