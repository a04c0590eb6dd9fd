package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Each case of {@code docs/cases.md} has a test that holds it. */
class CasesTest {

    private static final List<String> CASES = List.of(("C01 C02 C04 C06 C07 C08 C11 C14 C15 C16 C17 C19 C21 C22 C26 C33 C34"
                    + " C39 C40 C41 C42 C43 C45 C49 C51 C52 C55 C56 C60 C61 C71 C76 C79 C80 C85 C90 C92 C93 C94 C96 C97 C98"
                    + " C101 C102 C103 C105 C106 C109 C110 C111 C114 C116 C117 C121 C122 C123 C126 C127 C134 C135 C136 C137"
                    + " C141 C142 C145 C149")
            .split(" "));

    private static final Pattern ROW = Pattern.compile("\\| (C\\d+) \\| (.*?) \\|(.*)\\|");
    private static final Pattern TEST = Pattern.compile("`([\\w.$]+)#(\\w+)`");

    private final List<Case> listed = read();

    @Test
    void everyCaseIsListedOnceAndInOrder() {
        assertThat(listed).extracting(Case::id).containsExactlyElementsOf(CASES);
    }

    @Test
    void everyCaseSaysWhatHappens() {
        assertThat(listed).allSatisfy(one -> assertThat(one.behaviour()).endsWith("."));
    }

    @Test
    void everyCaseHasATest() {
        assertThat(listed).filteredOn(one -> one.tests().isEmpty()).extracting(Case::id).isEmpty();
    }

    @Test
    void everyNamedTestExists() {
        assertThat(listed.stream().flatMap(CasesTest::missing)).isEmpty();
    }

    private static List<Case> read() {
        return Repository.read(Repository.path("docs/cases.md"))
                .lines()
                .filter(line -> line.startsWith("| C"))
                .map(CasesTest::parse)
                .toList();
    }

    private static Case parse(String line) {
        Matcher row = ROW.matcher(line);
        assertThat(row.matches()).as("a row of the table: %s", line).isTrue();
        String cell = row.group(3);
        List<String> tests = new ArrayList<>();
        Matcher test = TEST.matcher(cell);
        while (test.find()) {
            tests.add(test.group(1) + "#" + test.group(2));
        }
        assertThat(test.replaceAll("").replace("<br>", "")).as("what else stands in the row of %s", row.group(1)).isBlank();
        return new Case(row.group(1), row.group(2), List.copyOf(tests));
    }

    private static Stream<String> missing(Case listed) {
        return listed.tests().stream().filter(test -> !isTest(test)).map(test -> listed.id() + ": " + test);
    }

    private static boolean isTest(String name) {
        String[] parts = name.split("#");
        try {
            return Stream.of(Class.forName(parts[0], false, CasesTest.class.getClassLoader())
                            .getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(parts[1])
                            && AnnotationSupport.isAnnotated(method, Testable.class));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private record Case(String id, String behaviour, List<String> tests) {}
}
