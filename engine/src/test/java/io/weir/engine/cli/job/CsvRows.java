package io.weir.engine.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.api.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/** Decodes the lines of a CSV file. */
final class CsvRows {
    private CsvRows() {}

    static <T extends Row> List<T> decode(
            final List<String> lines, final Function<List<String>, ? extends Codec<T>> codecOfHeader) {
        final Codec<T> codec = codecOfHeader.apply(header(lines));
        final List<T> rows = new ArrayList<>();
        for (final String line : lines.subList(1, lines.size())) {
            rows.add(decode(line, codec));
        }
        return rows;
    }

    static <T> T decode(final String line, final Codec<T> codec) {
        final byte[] bytes = line.getBytes(UTF_8);
        return codec.decode(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    static List<String> header(final List<String> lines) {
        return List.of(lines.get(0).split(","));
    }
}
