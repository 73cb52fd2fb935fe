package io.weir.storage.file;

/** The disk said no: the message names the operation, the file and the reason. */
public final class FileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause of its own.
     *
     * @param message that names operation, file and reason.
     */
    public FileException(final String message) {
        super(message);
    }

    /**
     * An error caused by another.
     *
     * @param message that names operation, file and reason.
     * @param cause of the error.
     */
    public FileException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
