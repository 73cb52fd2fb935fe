package io.weir.engine.cli;

/** A command can't do what it was asked: the message says it all. */
final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UserException(final String message) {
        super(message);
    }

    UserException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
