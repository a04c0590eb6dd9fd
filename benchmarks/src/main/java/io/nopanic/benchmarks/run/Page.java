package io.nopanic.benchmarks.run;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page with parts that a program writes, between two marks each: {@code <!-- NAME: written by ./bench -->} and {@code <!-- end of NAME -->}. */
public final class Page {

    private Page() {}

    /**
     * The page with one part replaced.
     *
     * @throws IllegalArgumentException if the page has no such part
     */
    public static String replace(String page, String name, List<String> lines) {
        Pattern part = Pattern.compile(
                "(<!-- " + Pattern.quote(name) + ": written by \\./bench -->\n).*?(<!-- end of " + Pattern.quote(name)
                        + " -->)",
                Pattern.DOTALL);
        Matcher found = part.matcher(page);
        if (!found.find()) {
            throw new IllegalArgumentException("the page has no part '" + name + "'");
        }
        String text = lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n\n";
        return page.substring(0, found.end(1)) + text + page.substring(found.start(2));
    }
}
