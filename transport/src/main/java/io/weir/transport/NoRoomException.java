package io.weir.transport;

/** There is no room for channels that are asked for: the message says what they need and what is there. Nothing was opened. */
public final class NoRoomException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message that says what is needed, what is there, and where.
     */
    public NoRoomException(final String message) {
        super(message);
    }
}
