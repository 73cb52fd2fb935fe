package io.weir.engine.cli.inspect;

/** A checkpoint can't be shown as asked: the message says it all. */
public final class InspectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error.
     *
     * @param message that names what was asked for and what there is.
     */
    public InspectException(final String message) {
        super(message);
    }
}
