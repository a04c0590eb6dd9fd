package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of faults in {@code stress/README.md} says of each fault what its file says. */
class MutationsTest {

    private static final String HEADER = "| fault | file | caught by |";
    private static final Pattern ROW = Pattern.compile("\\| (.*) \\| `([a-z-]+)` \\| `(.*)` \\|");

    @Test
    void theTableHasARowForEachFileInOrder() {
        List<String> expected = Repository.filesBelow(Repository.path("stress/mutations"), ".patch").stream()
                .map(MutationsTest::row)
                .toList();
        assertThat(expected).isNotEmpty();
        assertThat(table()).containsExactlyElementsOf(expected);
    }

    @Test
    void faultsStandInNoOtherTable() {
        assertThat(readme().stream().filter(line -> ROW.matcher(line).matches()))
                .containsExactlyElementsOf(table());
    }

    /** Each name, of a class or of a class and the beginning of one in it, as it is given to {@code stress/run interleavings}. */
    @Test
    void interleavingsThatAreNamedExist() {
        List<String> named = table().stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(3))
                .filter(command -> command.startsWith("interleavings "))
                .flatMap(command -> Pattern.compile(" ").splitAsStream(command).skip(1))
                .toList();
        assertThat(named).isNotEmpty();
        assertThat(named).allSatisfy(name -> {
            String[] names = name.split("\\.");
            String inner = names.length > 1 ? "class " + names[1] : "@JCStressTest";
            assertThat(Repository.filesBelow(Repository.path("stress/src/main/java"), "/" + names[0] + ".java"))
                    .singleElement()
                    .satisfies(file -> assertThat(Repository.read(file)).contains(inner));
        });
    }

    /** The row that a file has to have. */
    private static String row(Path patch) {
        List<String> lines = Repository.read(patch).lines().limit(2).toList();
        Matcher fault = Pattern.compile("(.*)\\.").matcher(lines.get(0));
        Matcher caughtBy = Pattern.compile("Caught by: (.*)").matcher(lines.get(1));
        assertThat(fault.matches()).as(patch + " says what the fault is").isTrue();
        assertThat(caughtBy.matches()).as(patch + " says what catches it").isTrue();
        String name = patch.getFileName().toString().replace(".patch", "");
        return "| " + fault.group(1) + " | `" + name + "` | `" + caughtBy.group(1) + "` |";
    }

    private static List<String> table() {
        List<String> lines = readme();
        int header = lines.indexOf(HEADER);
        assertThat(header).as("where the table begins").isNotNegative();
        return lines.stream()
                .skip(header + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    private static List<String> readme() {
        return Repository.read(Repository.path("stress/README.md")).lines().toList();
    }
}
