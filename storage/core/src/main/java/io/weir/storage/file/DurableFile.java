package io.weir.storage.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Small files that are replaced as a whole: temporary file, force, rename, force of the directory. */
public final class DurableFile {
    /** The ending of temporary files: what has it after a crash may be swept. */
    public static final String TEMPORARY = ".tmp";

    private DurableFile() {}

    /**
     * Puts a file under a name, atomically and durably: after a crash there is the old file or the whole new one. May block.
     *
     * @param files the disk.
     * @param file to replace or create; {@code file.tmp} beside it is used on the way.
     * @param bytes of the new file.
     * @throws FileException if that failed: the file is the old one, unless only the force of the directory failed.
     */
    public static void replace(final FileStore files, final Path file, final ByteBuffer bytes) {
        place(files, file, bytes);
        files.forceDirectory(file.toAbsolutePath().getParent());
    }

    /**
     * Puts a file under a name, atomically, but not durably: the caller forces the directory. May block.
     *
     * @param files the disk.
     * @param file to replace or create; {@code file.tmp} beside it is used on the way.
     * @param bytes of the new file.
     * @throws FileException if that failed: the file is the old one.
     */
    public static void place(final FileStore files, final Path file, final ByteBuffer bytes) {
        final Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        files.delete(temporary);
        try {
            try (OpenFile open = files.create(temporary)) {
                open.write(0, bytes);
                open.force();
            }
            files.rename(temporary, file);
        } catch (final FileException e) {
            try {
                files.delete(temporary);
            } catch (final FileException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * Reads a whole file.
     *
     * @param files the disk.
     * @param file to read.
     * @param maxLength the most bytes it may have.
     * @return its bytes.
     * @throws FileException if it is missing, can't be read or is longer.
     */
    public static byte[] read(final FileStore files, final Path file, final int maxLength) {
        try (OpenFile open = files.openReadOnly(file)) {
            final long size = open.size();
            if (size > maxLength) {
                throw new FileException(
                        "can't read " + file + ": " + size + " bytes, at most " + maxLength + " expected");
            }
            final byte[] bytes = new byte[(int) size];
            final int length = open.read(0, ByteBuffer.wrap(bytes));
            if (length != size) {
                throw new FileException("can't read " + file + ": " + length + " of " + size + " bytes");
            }
            return bytes;
        }
    }
}
