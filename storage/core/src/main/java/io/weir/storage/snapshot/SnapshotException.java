package io.weir.storage.snapshot;

/**
 * The disk could not write or read a segment or a manifest: when writing, it fails the checkpoint, not the job. The message
 * names file and reason.
 */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    /**
     * An error without a cause of its own.
     *
     * @param message that names file and reason.
     */
    public SnapshotException(final String message) {
        super(message);
        outcomeUnknown = false;
    }

    /**
     * An error caused by another.
     *
     * @param message that names file and reason.
     * @param cause of the error.
     */
    public SnapshotException(final String message, final Throwable cause) {
        this(message, cause, false);
    }

    private SnapshotException(final String message, final Throwable cause, final boolean outcomeUnknown) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * An error behind the point of no return: what was to be written may be there after all, so nothing of it may be deleted.
     *
     * @param message that names file and reason.
     * @param cause of the error.
     * @return the exception.
     */
    public static SnapshotException outcomeUnknown(final String message, final Throwable cause) {
        return new SnapshotException(message, cause, true);
    }

    /**
     * Whether what was to be written may be there after all.
     *
     * @return false if it is not for sure.
     */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }
}
