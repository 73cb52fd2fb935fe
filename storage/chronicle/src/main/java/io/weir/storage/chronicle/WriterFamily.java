package io.weir.storage.chronicle;

/** Names all writers of one sink, whatever their number: what a writer's id has up to its last {@code /}. */
final class WriterFamily {
    private WriterFamily() {}

    /**
     * The family of a writer.
     *
     * @return its name, which is no writer's id, for it ends with the slash; null for a writer that stands for itself.
     */
    static String of(final String writerId) {
        final int end = writerId.lastIndexOf('/') + 1;
        return end == 0 || end == writerId.length() ? null : writerId.substring(0, end);
    }
}
