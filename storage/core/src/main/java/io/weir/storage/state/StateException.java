package io.weir.storage.state;

/** Keyed state can't be used as asked: the message names the state and what does not fit. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error.
     *
     * @param message that names the state, the expected and the found.
     */
    public StateException(final String message) {
        super(message);
    }

    /**
     * An error with a cause.
     *
     * @param message that names the state, the expected and the found.
     * @param cause of it.
     */
    public StateException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
