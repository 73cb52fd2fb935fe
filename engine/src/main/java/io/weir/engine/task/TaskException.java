package io.weir.engine.task;

/** A task can't go on; the message names task or operator and says why. */
public final class TaskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    /**
     * An error that a restart may heal.
     *
     * @param message that names task or operator and says why.
     * @param cause of the error.
     */
    public TaskException(final String message, final Throwable cause) {
        this(message, cause, false);
    }

    private TaskException(final String message, final Throwable cause, final boolean permanent) {
        super(message, cause);
        this.permanent = permanent;
    }

    /**
     * An error that comes back however often the job is restarted, such as bad input.
     *
     * @param message that names the place and says why.
     * @param cause of the error.
     * @return the exception.
     */
    public static TaskException permanent(final String message, final Throwable cause) {
        return new TaskException(message, cause, true);
    }

    /**
     * Whether a restart is of no use.
     *
     * @return true if so.
     */
    public boolean isPermanent() {
        return permanent;
    }

    /**
     * What a throwable says, or its type if it says nothing. An error of the JVM says both.
     *
     * @param cause to read.
     * @return never blank.
     */
    public static String reason(final Throwable cause) {
        final String message = cause.getMessage();
        final String type = cause.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return type;
        }
        return cause instanceof Error ? type + ": " + message : message;
    }
}
