package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/** How sources are written, checked on the sources: what classes no longer show. */
class SourceRulesTest {

    private static final int MAX_LINES_OF_A_FILE = 400;
    private static final int MAX_LINES_OF_A_METHOD = 60;
    private static final int MAX_PARAMETERS_OF_A_CONSTRUCTOR = 5;

    private static final Pattern CASE_ID = Pattern.compile("\\bC\\d{2,3}\\b");

    /** A {@code long} whose name ends with one of these is taken for a time. */
    private static final Set<String> TIMES = Set.of(
            "now", "delay", "timeout", "deadline", "elapsed", "duration", "interval", "latency", "age", "wait", "waited",
            "since", "until", "expiry", "ttl", "time", "due", "pause", "cooldown", "when", "at");

    /** And one that ends with one of these says that it is in another unit; only a constant or a local variable may. */
    private static final Set<String> OTHER_UNITS = Set.of("millis", "micros", "seconds", "minutes", "ms", "ns");

    /** Is no time: an answer. */
    private static final String NOT_NOW = "NOT_NOW";

    @Test
    void filesAreShort() {
        List<String> tooLong = new ArrayList<>();
        for (SourceFile file : SourceFile.all()) {
            long lines = file.text().lines().count();
            if (lines > MAX_LINES_OF_A_FILE) {
                tooLong.add(file.at(file.unit()) + " has " + lines + " lines");
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void methodsAreShort() {
        assertThat(findInLibraries(new Finder() {
                    @Override
                    public Void visitMethod(MethodTree method, Void unused) {
                        int lines = file.linesOf(method);
                        if (lines > MAX_LINES_OF_A_METHOD) {
                            found(method, method.getName() + " has " + lines + " lines");
                        }
                        return super.visitMethod(method, unused);
                    }
                }))
                .isEmpty();
    }

    @Test
    void constructorsHaveFewParameters() {
        assertThat(findInLibraries(new Finder() {
                    @Override
                    public Void visitMethod(MethodTree method, Void unused) {
                        if (method.getReturnType() == null
                                && method.getParameters().size() > MAX_PARAMETERS_OF_A_CONSTRUCTOR) {
                            found(method, method.getParameters().size() + " parameters");
                        }
                        return super.visitMethod(method, unused);
                    }
                }))
                .isEmpty();
    }

    @Test
    void noBlockIsSynchronized() {
        assertThat(findInLibraries(new Finder() {
                    @Override
                    public Void visitSynchronized(SynchronizedTree block, Void unused) {
                        found(block, "synchronized");
                        return super.visitSynchronized(block, unused);
                    }
                }))
                .isEmpty();
    }

    @Test
    void importsRunOneWayAlsoWhereOnlyACommentNeedsThem() {
        assertThat(findInLibraries(new Finder() {
                    @Override
                    public Void visitImport(ImportTree tree, Void unused) {
                        String from = file.unit().getPackageName().toString();
                        String type = tree.getQualifiedIdentifier().toString();
                        String to = type.replaceFirst("\\.[A-Z].*", "");
                        if (!Layers.mayUse(from, to)) {
                            found(tree, from + " imports " + type);
                        }
                        return super.visitImport(tree, unused);
                    }
                }))
                .isEmpty();
    }

    @Test
    void timesAreNanosecondsAndSaySo() {
        assertThat(findInLibraries(new Finder() {
                    @Override
                    public Void visitVariable(VariableTree variable, Void unused) {
                        boolean local = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.BLOCK;
                        check(variable, variable.getType(), variable.getName().toString(), local);
                        return super.visitVariable(variable, unused);
                    }

                    @Override
                    public Void visitMethod(MethodTree method, Void unused) {
                        check(method, method.getReturnType(), method.getName().toString(), false);
                        return super.visitMethod(method, unused);
                    }

                    private void check(Tree element, Tree type, String name, boolean local) {
                        String last = lastWord(name);
                        boolean mayHaveOtherUnit = local || isConstant(name);
                        if (type != null
                                && type.toString().equals("long")
                                && !name.equals(NOT_NOW)
                                && (TIMES.contains(last) || !mayHaveOtherUnit && OTHER_UNITS.contains(last))) {
                            found(element, "long " + name + " does not end with Nanos");
                        }
                    }
                }))
                .isEmpty();
    }

    @Test
    void whatUsersSeeHasAComment() {
        assertThat(findInLibraries(new PublicElements())).isEmpty();
    }

    @Test
    void sourcesNameBehavioursAndNotCases() {
        List<String> named = new ArrayList<>();
        for (SourceFile file : SourceFile.all()) {
            boolean listsThem = file.path().endsWith("rules/CasesTest.java");
            if (!listsThem && CASE_ID.matcher(file.text()).find()) {
                named.add(file.at(file.unit()));
            }
        }
        assertThat(named).isEmpty();
    }

    private static String lastWord(String name) {
        String[] words = name.split(isConstant(name) ? "_" : "(?=[A-Z])");
        return words[words.length - 1].toLowerCase(Locale.ROOT);
    }

    private static boolean isConstant(String name) {
        return name.equals(name.toUpperCase(Locale.ROOT));
    }

    private static List<String> findInLibraries(Finder finder) {
        for (SourceFile file : SourceFile.ofLibraries()) {
            finder.file = file;
            finder.scan(file.unit(), null);
        }
        return finder.findings;
    }

    /** Walks through sources and collects what breaks a rule. */
    private abstract static class Finder extends TreePathScanner<Void, Void> {

        final List<String> findings = new ArrayList<>();
        SourceFile file;

        void found(Tree element, String what) {
            findings.add(file.at(element) + " " + what);
        }
    }

    /** Public and protected elements without a comment. An element that overrides another inherits its comment. */
    private static final class PublicElements extends Finder {

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (!isSeen(type.getModifiers())) {
                return null;
            }
            check(type, type.getSimpleName().toString());
            return super.visitClass(type, unused);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
            if (!overrides && isSeen(method.getModifiers())) {
                check(method, method.getName().toString());
            }
            return null;
        }

        @Override
        public Void visitVariable(VariableTree field, Void unused) {
            if (isSeen(field.getModifiers())) {
                check(field, field.getName().toString());
            }
            return null;
        }

        private boolean isSeen(ModifiersTree modifiers) {
            Set<Modifier> flags = modifiers.getFlags();
            boolean inInterface = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || inInterface && !flags.contains(Modifier.PRIVATE);
        }

        private void check(Tree element, String name) {
            if (!file.hasComment(getCurrentPath())) {
                found(element, name + " has no comment");
            }
        }
    }
}
