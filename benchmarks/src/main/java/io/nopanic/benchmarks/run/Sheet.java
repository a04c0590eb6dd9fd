package io.nopanic.benchmarks.run;

import io.nopanic.cli.terminal.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table with a title. Not thread-safe. */
public final class Sheet {

    private final String title;
    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    Sheet(String title, String... head) {
        this.title = title;
        this.head = List.of(head);
    }

    Sheet row(String... cells) {
        rows.add(Arrays.asList(cells));
        return this;
    }

    Sheet row(List<String> cells) {
        rows.add(cells);
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** As lines for a terminal. */
    public List<String> lines() {
        Table table = new Table(head.toArray(new String[0]));
        rows.forEach(row -> table.row(row.toArray(new String[0])));
        List<String> lines = new ArrayList<>();
        lines.add(title);
        lines.addAll(table.lines());
        lines.add("");
        return lines;
    }

    /** As lines for a page. */
    List<String> markdown() {
        List<String> lines = new ArrayList<>();
        if (!title.isEmpty()) {
            lines.add("**" + title + "**");
            lines.add("");
        }
        lines.add(line(head));
        lines.add(head.stream()
                .map(cell -> cell.equals(head.get(0)) ? "---" : "--:")
                .collect(Collectors.joining("|", "|", "|")));
        rows.forEach(row -> lines.add(line(row)));
        return lines;
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}
