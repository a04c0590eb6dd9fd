package io.nopanic.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** One Java source of the repository, parsed but not resolved. */
final class SourceFile {

    private static final List<SourceFile> ALL = parseAll();

    private final Path path;
    private final CompilationUnitTree unit;
    private final DocTrees trees;

    private SourceFile(Path path, CompilationUnitTree unit, DocTrees trees) {
        this.path = path;
        this.unit = unit;
        this.trees = trees;
    }

    /** Every source of every module. */
    static List<SourceFile> all() {
        return ALL;
    }

    /** The sources of the published libraries. */
    static List<SourceFile> ofLibraries() {
        List<Path> roots = Publication.libraries().stream()
                .map(library -> Repository.path(library).resolve("src/main/java"))
                .toList();
        return ALL.stream()
                .filter(file -> roots.stream().anyMatch(file.path::startsWith))
                .toList();
    }

    Path path() {
        return path;
    }

    CompilationUnitTree unit() {
        return unit;
    }

    String text() {
        return Repository.read(path);
    }

    boolean hasComment(TreePath element) {
        return trees.getDocComment(element) != null;
    }

    /** Which lines of the file an element takes, its comment not among them. */
    int linesOf(Tree element) {
        return line(trees.getSourcePositions().getEndPosition(unit, element)) - lineOf(element) + 1;
    }

    /** A place in this file, as people and tools know to find it. */
    String at(Tree element) {
        return Repository.ROOT.relativize(path) + ":" + lineOf(element);
    }

    private int lineOf(Tree element) {
        return line(trees.getSourcePositions().getStartPosition(unit, element));
    }

    private int line(long position) {
        return (int) unit.getLineMap().getLineNumber(position);
    }

    private static List<SourceFile> parseAll() {
        List<Path> paths = new ArrayList<>();
        for (Path module : Repository.modules()) {
            paths.addAll(Repository.filesBelow(module.resolve("src"), ".java"));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        var task = (JavacTask)
                compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
        try {
            DocTrees trees = DocTrees.instance(task);
            List<SourceFile> parsed = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                parsed.add(new SourceFile(Path.of(unit.getSourceFile().toUri()), unit, trees));
            }
            return List.copyOf(parsed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
