package io.nopanic.rules;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Java that is text: whether it compiles. */
public final class JavaSources {

    private JavaSources() {}

    /** What is wrong with statements that stand in a method where all of nopanic and what is usual is imported. */
    public static List<String> errorsInStatements(List<String> statements) throws IOException {
        String text = ofStatements("statements", "", String.join("\n", statements));
        return errors(List.of(source("statements", text))).stream()
                .map(Diagnostic::toString)
                .toList();
    }

    static JavaFileObject source(String packageName, String text) {
        return new Source(packageName, text);
    }

    /** A class with a method of these statements. */
    static String ofStatements(String packageName, String imports, String body) {
        return "package " + packageName + ";" + imports + usualImports()
                + "abstract class Block extends io.nopanic.docs.Scene { void run() throws Throwable {" + body + "\n}}";
    }

    private static String usualImports() {
        return Modules.exportedPackages().stream()
                        .map(name -> "import " + name + ".*;")
                        .collect(Collectors.joining())
                + "import java.io.*; import java.time.*; import java.util.*; import java.util.concurrent.*;"
                + "import java.util.function.*; import static org.assertj.core.api.Assertions.*;";
    }

    static List<Diagnostic<? extends JavaFileObject>> errors(List<JavaFileObject> sources) throws IOException {
        if (sources.isEmpty()) {
            return List.of();
        }
        var found = new DiagnosticCollector<JavaFileObject>();
        List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
        ((JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, sources)).analyze();
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .toList();
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
