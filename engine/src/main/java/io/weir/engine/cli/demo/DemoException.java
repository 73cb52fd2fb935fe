package io.weir.engine.cli.demo;

/** The demo can't go on: the message says why. */
public final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error.
     *
     * @param message that says why.
     */
    public DemoException(final String message) {
        super(message);
    }
}
