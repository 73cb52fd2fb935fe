package io.weir.storage.snapshot;

/**
 * The disk could not write or read a segment or a manifest: when writing, it fails the checkpoint, not the job. The message
 * names file and reason.
 */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names file and reason.
     */
    public SnapshotException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names file and reason.
     * @param cause of the error.
     */
    public SnapshotException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
