package io.weir.transport;

/** A channel can't go on: the message names the channel, the position, what was expected and what was found. */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names the channel, the place, the expected and the found.
     */
    public TransportException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names the channel, the place, the expected and the found.
     * @param cause of the error.
     */
    public TransportException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
