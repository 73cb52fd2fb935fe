package io.weir.engine.cli.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * What tells one input from another: the length and a checksum of all bytes. A checksum of parts would miss a change in the
 * middle; the job reads the whole file anyway before its first record, to find the sources, and that costs more.
 *
 * @param length in bytes, -1 where the input still grows.
 * @param checksum CRC32C of the file's bytes, as they lie on the disk.
 */
public record InputMark(long length, int checksum) {
    /** An input that grows while the job reads it. */
    public static final InputMark GROWING = new InputMark(-1, 0);

    private static final int CHUNK_LENGTH = 1 << 20;

    /**
     * Reads a file. May block for as long as that takes.
     *
     * @param file to read.
     * @return its mark.
     * @throws IOException if it can't be read.
     */
    public static InputMark of(final Path file) throws IOException {
        final CRC32C checksum = new CRC32C();
        long length = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_LENGTH);
            for (int read = channel.read(chunk); read >= 0; read = channel.read(chunk.clear())) {
                checksum.update(chunk.flip());
                length += read;
            }
        }
        return new InputMark(length, (int) checksum.getValue());
    }

    String lengthText() {
        return length < 0 ? "open" : length + " bytes";
    }

    String checksumText() {
        return length < 0 ? "open" : "crc32c " + HexFormat.of().toHexDigits(checksum);
    }
}
