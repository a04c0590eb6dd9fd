package io.nopanic.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code blocks of the documentation. */
final class Markdown {

    private static final Pattern ORIGIN = Pattern.compile("\\s*<!-- from: (\\S+)#(\\S+) -->\\s*");

    private Markdown() {}

    /** The pages that have to tell the truth: those of the root, and all below {@code docs}. */
    static List<Path> pages() {
        List<Path> pages = new ArrayList<>(Repository.filesBelow(Repository.path("docs"), ".md"));
        for (String page : List.of("README.md", "CONTRIBUTING.md")) {
            pages.add(Repository.path(page));
        }
        return pages;
    }

    /**
     * The blocks of one page that are fenced as {@code java}. In a block that says {@code java continues}, the lines of all blocks
     * before it that could be continued stand in front.
     */
    static List<Block> javaBlocks(Path page) {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = Repository.read(page).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String fence = lines.get(i).strip();
            if (!fence.startsWith("```")) {
                continue;
            }
            int end = i + 1;
            while (!lines.get(end).strip().equals("```")) {
                end++;
            }
            String info = fence.substring(3).strip();
            if (info.equals("java") || info.equals("java continues")) {
                String origin = i == 0 ? "" : lines.get(i - 1);
                blocks.add(new Block(page, i + 1, info.endsWith("continues"), lines.subList(i + 1, end), origin));
            } else if (info.startsWith("java")) {
                throw new IllegalArgumentException(page + ":" + (i + 1) + " has a fence that is not known: " + info);
            }
            i = end;
        }
        return blocks;
    }

    /**
     * A block of Java.
     *
     * @param line where its fence stands, from 1
     * @param continues whether it goes on where the block before it ended
     * @param before the line before the fence
     */
    record Block(Path page, int line, boolean continues, List<String> lines, String before) {

        /** The lines of the source that this block shows, or {@code null} if it does not say that it shows one. */
        List<String> original() {
            Matcher origin = ORIGIN.matcher(before);
            return origin.matches() ? region(Repository.path(origin.group(1)), origin.group(2)) : null;
        }

        String place() {
            return Repository.ROOT.relativize(page) + ":" + line;
        }

        private static List<String> region(Path source, String name) {
            List<String> lines = Repository.read(source).lines().toList();
            List<String> region = new ArrayList<>();
            boolean inside = false;
            for (String line : lines) {
                if (inside && line.strip().equals("// endregion")) {
                    return String.join("\n", region).stripIndent().lines().toList();
                }
                if (inside) {
                    region.add(line);
                }
                inside |= line.strip().equals("// region " + name);
            }
            throw new IllegalArgumentException(source + " has no region " + name + " that ends");
        }
    }
}
