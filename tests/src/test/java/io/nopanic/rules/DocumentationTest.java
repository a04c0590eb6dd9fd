package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.Test;

/** The code in the documentation compiles, and what is shown from a source is what stands there. */
class DocumentationTest {

    private static final Pattern IMPORT = Pattern.compile("import .*;");
    private static final Pattern WHOLE_FILE = Pattern.compile(
            "(package .*;|(@\\w+ )*((public|abstract|final|sealed|non-sealed) )*(class|interface|record|enum|@interface) .*)");

    @Test
    void everyBlockOfJavaCompiles() throws IOException {
        Map<String, Markdown.Block> blocks = new TreeMap<>();
        List<JavaFileObject> sources = new ArrayList<>();
        for (Path page : Markdown.pages()) {
            List<String> said = new ArrayList<>();
            for (Markdown.Block block : Markdown.javaBlocks(page)) {
                if (block.original() != null) {
                    continue; // compiled where it comes from
                }
                String packageName = "docs.block" + blocks.size();
                blocks.put("/" + packageName.replace('.', '/') + ".java", block);
                sources.add(JavaSources.source(packageName, source(packageName, said, block)));
                if (!isWholeFile(block)) {
                    if (!block.continues()) {
                        said.clear();
                    }
                    said.addAll(block.lines());
                }
            }
        }
        assertThat(errors(sources, blocks)).isEmpty();
    }

    @Test
    void blocksThatShowASourceShowItAsItIs() {
        for (Path page : Markdown.pages()) {
            for (Markdown.Block block : Markdown.javaBlocks(page)) {
                List<String> original = block.original();
                if (original != null) {
                    assertThat(block.lines()).as(block.place()).isEqualTo(original);
                }
            }
        }
    }

    @Test
    void theReadmeShowsAnExampleThatIsTested() {
        assertThat(Markdown.javaBlocks(Repository.path("README.md")))
                .anySatisfy(block -> assertThat(block.before()).contains("<!-- from: examples/src/main/java/"));
    }

    @Test
    void theReadmeTellsTheCommandThatTests() {
        assertThat(Repository.read(Repository.path("README.md"))).contains("mvn -B -ntp verify");
    }

    private static List<String> errors(List<JavaFileObject> sources, Map<String, Markdown.Block> blocks)
            throws IOException {
        return JavaSources.errors(sources).stream()
                .map(one -> describe(one, blocks))
                .toList();
    }

    private static String describe(Diagnostic<? extends JavaFileObject> error, Map<String, Markdown.Block> blocks) {
        String message = error.getMessage(Locale.ROOT);
        if (error.getSource() == null) {
            return message;
        }
        Markdown.Block block = blocks.get(error.getSource().toUri().getPath());
        return block.place() + " line " + error.getLineNumber() + ": " + message;
    }

    /** The text that is compiled for a block; what is put in front of it stands on the line of its first line. */
    private static String source(String packageName, List<String> said, Markdown.Block block) {
        if (isWholeFile(block)) {
            boolean saysPackage = block.lines().stream().anyMatch(line -> line.startsWith("package "));
            return (saysPackage ? "" : "package " + packageName + ";") + String.join("\n", block.lines());
        }
        List<String> lines = new ArrayList<>(block.continues() ? said : List.of());
        lines.addAll(block.lines());
        String imports = lines.stream().filter(DocumentationTest::isImport).collect(Collectors.joining());
        String body = lines.stream().map(line -> isImport(line) ? "" : line).collect(Collectors.joining("\n"));
        return JavaSources.ofStatements(packageName, imports, body);
    }

    private static boolean isWholeFile(Markdown.Block block) {
        return block.lines().stream()
                .filter(line ->
                        !line.isBlank() && !isImport(line) && !line.strip().matches("(//|/\\*|\\*).*"))
                .findFirst()
                .filter(line -> WHOLE_FILE.matcher(line).matches())
                .isPresent();
    }

    private static boolean isImport(String line) {
        return IMPORT.matcher(line).matches();
    }
}
