package io.weir.engine.graph;

/** A pipeline makes no plan: the message names the operator, what is wrong and what to do. */
public final class PlanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message for the user.
     */
    public PlanException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message for the user.
     * @param cause of the error.
     */
    public PlanException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
