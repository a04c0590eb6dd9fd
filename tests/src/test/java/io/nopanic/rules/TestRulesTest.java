package io.nopanic.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.concurrent.TimeUnit;

/** How tests are written, checked on their compiled classes. */
@AnalyzeClasses(packages = "io.nopanic", importOptions = ImportOption.OnlyIncludeTests.class)
class TestRulesTest {

    @ArchTest
    static void noTestSleeps(JavaClasses tests) {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .orShould()
                .callMethod(TimeUnit.class, "sleep", long.class)
                .check(tests);
    }
}
