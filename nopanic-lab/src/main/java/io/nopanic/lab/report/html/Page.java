package io.nopanic.lab.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What all pages begin and end with. */
final class Page {

    private Page() {}

    /** The head with the style sheet, up to where the body begins. */
    static Markup begin(String title) {
        Markup markup = new Markup(HtmlReport.BEGIN);
        markup.open("html", "lang", "en").line().open("head");
        markup.leaf("meta", "charset", "utf-8");
        markup.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        markup.leaf("meta", "name", "color-scheme", "content", "light dark");
        markup.element("title", title + " \u2013 nopanic");
        markup.open("style").verbatim(resource("report.css")).close();
        return markup.close().line().open("body");
    }

    /** The end of the body, and a script without which the page is complete too. */
    static String end(Markup markup, String footer, String script) {
        markup.element("footer", footer);
        markup.open("script").verbatim(resource(script)).close();
        return markup.close().close().line().toString();
    }

    /** Begins a section. */
    static void section(Markup markup, String id, String heading) {
        markup.open("section", "id", id, "aria-labelledby", id + "-h").element("h2", heading, "id", id + "-h");
    }

    /** Begins a table that can be moved sideways where it is too wide, up to its headings; with a caption below it, if there is something to say. */
    static void table(Markup markup, String id, String caption) {
        markup.open("div", "class", "scroll", "tabindex", "0").open("table", "id", id);
        if (!caption.isEmpty()) {
            Picture.caption(markup, caption);
        }
        markup.open("thead").open("tr");
    }

    /** Headings of columns: of numbers, or, with the class {@code words}, of words. */
    static void headings(Markup markup, String style, String... headings) {
        for (String heading : headings) {
            markup.element("th", heading, "scope", "col", "class", style);
        }
    }

    /** Begins the rows. */
    static void rows(Markup markup) {
        markup.close().close().line().open("tbody");
    }

    /** Ends a table. */
    static void endTable(Markup markup) {
        markup.close().close().close().line();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
