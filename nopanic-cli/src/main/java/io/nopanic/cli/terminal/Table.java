package io.nopanic.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows of equal length in columns as wide as they need to be. The first column is aligned to the left, the others to the right. Not thread-safe. */
public final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** A table that begins with these headings. */
    public Table(String... headings) {
        row(headings);
    }

    /** Adds a row. */
    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, indented by two. */
    public List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            line.append(GAP).append(column == 0 ? cell + padding : padding + cell);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
