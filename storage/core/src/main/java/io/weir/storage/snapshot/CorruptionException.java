package io.weir.storage.snapshot;

/** Bytes on disk are not what was written: the message names file, offset, expected and found. */
public final class CorruptionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An error.
     *
     * @param message that names file, offset, expected and found.
     */
    public CorruptionException(final String message) {
        super(message);
    }
}
