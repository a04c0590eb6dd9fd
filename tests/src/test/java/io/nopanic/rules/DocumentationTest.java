package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
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
                String packageName = "docs.block" + blocks.size();
                blocks.put("/" + packageName.replace('.', '/') + ".java", block);
                sources.add(new Source(packageName, source(packageName, said, block)));
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
        if (sources.isEmpty()) {
            return List.of();
        }
        var found = new DiagnosticCollector<JavaFileObject>();
        List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
        ((JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, sources)).analyze();
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
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
        return "package " + packageName + ";" + imports + usualImports()
                + "abstract class Block extends io.nopanic.docs.Scene { void run() throws Throwable {" + body + "\n}}";
    }

    private static String usualImports() {
        return Modules.exportedPackages().stream().map(name -> "import " + name + ".*;").collect(Collectors.joining())
                + "import java.time.*; import java.util.*; import java.util.concurrent.*; import java.util.function.*;";
    }

    private static boolean isWholeFile(Markdown.Block block) {
        return block.lines().stream()
                .filter(line -> !line.isBlank() && !isImport(line) && !line.strip().matches("(//|/\\*|\\*).*"))
                .findFirst()
                .filter(line -> WHOLE_FILE.matcher(line).matches())
                .isPresent();
    }

    private static boolean isImport(String line) {
        return IMPORT.matcher(line).matches();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String packageName, String text) {
            super(URI.create("memory:///" + packageName.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
