package io.weir.engine.cli.inspect;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Lines of one kind, aligned: each begins with the kind, the headings with the kind in capitals. */
final class Columns {
    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();
    private final String kind;

    Columns(final String kind, final String... headings) {
        this.kind = kind;
        lines.add(line(kind.toUpperCase(java.util.Locale.ROOT), headings));
    }

    private static List<String> line(final String first, final String... cells) {
        final List<String> line = new ArrayList<>(List.of(first));
        line.addAll(List.of(cells));
        return line;
    }

    void add(final String... cells) {
        lines.add(line(kind, cells));
    }

    /** Prints the lines behind an empty one; nothing without lines. Numbers stand at the right. */
    void print(final PrintWriter out) {
        if (lines.size() == 1) {
            return;
        }
        out.println();
        final int columns = lines.get(0).size();
        final int[] widths = new int[columns];
        final boolean[] isNumbers = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            isNumbers[column] = true;
            for (int line = 0; line < lines.size(); line++) {
                final String cell = lines.get(line).get(column);
                widths[column] = Math.max(widths[column], cell.length());
                isNumbers[column] &= line == 0 || cell.equals("-") || cell.matches("[0-9]+");
            }
        }
        for (final List<String> line : lines) {
            final StringBuilder text = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                final String cell = line.get(column);
                final String padding = " ".repeat(widths[column] - cell.length());
                text.append(column == 0 ? "" : GAP).append(isNumbers[column] ? padding + cell : cell + padding);
            }
            out.println(text.toString().stripTrailing());
        }
    }
}
