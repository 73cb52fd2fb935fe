package io.weir.engine.cli.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Text files as lines. */
public final class TextLines {
    private TextLines() {}

    /**
     * Reads a file.
     *
     * @param file in UTF-8, packed if its name ends in {@code .gz}.
     * @return its lines.
     * @throws IOException if it can't be read.
     */
    public static List<String> read(final Path file) throws IOException {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            return reader.lines().toList();
        }
    }
}
