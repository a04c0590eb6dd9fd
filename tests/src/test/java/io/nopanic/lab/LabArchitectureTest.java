package io.nopanic.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.spi.Policy;
import java.util.List;

/** The lab has no policy of its own: what it says about breakers, breakers did. */
@AnalyzeClasses(packages = "io.nopanic.lab", importOptions = LabArchitectureTest.Lab.class)
class LabArchitectureTest {

    private static final String ROOT = "io.nopanic.lab.";

    /** A package uses only those to its left. */
    private static final List<String> ORDER =
            List.of("call", "logs", "theory", "setup", "traffic", "replay", "predict", "tune", "report");

    @ArchTest
    static void importsRunOneWay(JavaClasses lab) {
        classes().should(useOnlyWhatComesBefore()).check(lab);
    }

    @ArchTest
    static void packagesHaveNoCycles(JavaClasses lab) {
        slices().matching("io.nopanic.lab.(*)..").should().beFreeOfCycles().check(lab);
    }

    @ArchTest
    static void nobodyImplementsAPolicy(JavaClasses lab) {
        noClasses().should().beAssignableTo(Policy.class).check(lab);
    }

    @ArchTest
    static void theReplayAsksTheBreakersOfProduction(JavaClasses lab) {
        boolean asks = lab.stream()
                .filter(type -> type.getPackageName().equals(ROOT + "replay"))
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().isEquivalentTo(CircuitBreaker.class))
                .map(call -> call.getName())
                .toList()
                .containsAll(List.of("tryAcquire", "enter", "settle", "state"));
        assertThat(asks).isTrue();
    }

    @ArchTest
    static void onlyTheSetupBuildsBreakers(JavaClasses lab) {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "setup..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.nopanic.breaker.CircuitBreakerBuilder")
                .check(lab);
    }

    private static ArchCondition<JavaClass> useOnlyWhatComesBefore() {
        return new ArchCondition<>("use only packages that come before their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().forEach(dependency -> {
                    String used =
                            dependency.getTargetClass().getBaseComponentType().getPackageName();
                    if (used.startsWith(ROOT) && place(used) > place(type.getPackageName())) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                });
            }
        };
    }

    private static int place(String packageName) {
        String slice = packageName.substring(ROOT.length()).split("\\.", 2)[0];
        int place = ORDER.indexOf(slice);
        assertThat(place).as(packageName).isNotNegative();
        return place;
    }

    /** The classes of the lab, not their tests. */
    static final class Lab implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return location.contains("/nopanic-lab/");
        }
    }
}
