package io.nopanic.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How the libraries are built up inside, checked on their compiled classes. */
@AnalyzeClasses(packages = "io.nopanic", importOptions = ArchitectureTest.Libraries.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> POLICIES =
            describe("are of a policy", type -> Layers.isPolicy(type.getPackageName()));

    @ArchTest
    static void importsRunOneWay(JavaClasses libraries) {
        classes().should(useOnlyWhatIsBelow()).check(libraries);
    }

    @ArchTest
    static void packagesHaveNoCycles(JavaClasses libraries) {
        slices().matching("io.nopanic.(*)..").should().beFreeOfCycles().check(libraries);
    }

    @ArchTest
    static void noMethodIsSynchronized(JavaClasses libraries) {
        noMethods().should().haveModifier(SYNCHRONIZED).check(libraries);
    }

    @ArchTest
    static void nobodyWaitsOnAMonitor(JavaClasses libraries) {
        nobodyCalls(Object.class, "wait|notify|notifyAll").check(libraries);
    }

    @ArchTest
    static void nothingIsKeptPerThread(JavaClasses libraries) {
        noClasses()
                .should()
                .dependOnClassesThat(assignableTo(ThreadLocal.class))
                .check(libraries);
    }

    @ArchTest
    static void staticFieldsAreFinal(JavaClasses libraries) {
        fields().that().areStatic().should().haveModifier(FINAL).check(libraries);
    }

    @ArchTest
    static void nobodyReadsTheWallClock(JavaClasses libraries) {
        nobodyCalls(System.class, "currentTimeMillis").check(libraries);
        nobodyCalls(Instant.class, "now").check(libraries);
        nobodyCalls(Clock.class, "system.*|tick.*").check(libraries);
    }

    /** And the testkit, whose threads must not hang for ever when virtual time stands still. */
    @ArchTest
    static void onlyThePackageTimeReadsAClock(JavaClasses libraries) {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.nopanic.time..", "io.nopanic.testkit..")
                .should(callMethodWhere(calls(System.class, "nanoTime")))
                .orShould(callMethodWhere(calls(InstantSource.class, "system")))
                .check(libraries);
    }

    @ArchTest
    static void nobodySleeps(JavaClasses libraries) {
        nobodyCalls(Thread.class, "sleep").check(libraries);
        nobodyCalls(TimeUnit.class, "sleep").check(libraries);
    }

    @ArchTest
    static void policiesNeitherWaitNorStartThreadsNorSchedule(JavaClasses libraries) {
        noClasses()
                .that(POLICIES)
                .should(callMethodWhere(calls(LockSupport.class, "park.*")))
                .orShould(callMethodWhere(calls(Thread.class, "start|startVirtualThread")))
                .orShould(callMethodWhere(calls(Time.class, "schedule|park")))
                .orShould(callMethodWhere(calls(Timer.class, "schedule")))
                .allowEmptyShould(true)
                .check(libraries);
    }

    @ArchTest
    static void nobodyHasAFinalizer(JavaClasses libraries) {
        noMethods().should().haveName("finalize").check(libraries);
    }

    @ArchTest
    static void nobodyUsesReflection(JavaClasses libraries) {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.reflect..")
                .check(libraries);
        nobodyCalls(Class.class, "forName|newInstance|get(Declared)?(Method|Field|Constructor|Class)(s|es)?")
                .check(libraries);
    }

    private static ArchRule nobodyCalls(Class<?> type, String names) {
        return noClasses().should(callMethodWhere(calls(type, names)));
    }

    private static DescribedPredicate<JavaMethodCall> calls(Class<?> type, String names) {
        return describe(
                "it is " + type.getSimpleName() + "." + names,
                call -> call.getTargetOwner().isEquivalentTo(type)
                        && call.getName().matches(names));
    }

    private static ArchCondition<JavaClass> useOnlyWhatIsBelow() {
        return new ArchCondition<>("use only packages below their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass used = dependency.getTargetClass().getBaseComponentType();
                    if (!Layers.mayUse(type.getPackageName(), used.getPackageName())) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** What is published; not the tests, examples and tools that use it. */
    static final class Libraries implements ImportOption {

        private final List<String> libraries = Publication.libraries();

        @Override
        public boolean includes(Location location) {
            return libraries.stream().anyMatch(library -> location.contains("/" + library + "/target/"));
        }
    }
}
