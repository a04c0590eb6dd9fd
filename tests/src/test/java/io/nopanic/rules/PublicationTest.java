package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users get: artifacts that agree with each other and resolve as modules. */
class PublicationTest {

    @Test
    void theBomListsEveryLibraryAndNothingElse() {
        List<String> published = Repository.modules().stream()
                .map(module -> module.getFileName().toString())
                .filter(name -> name.matches("nopanic-(?!bom|cli|lab).*"))
                .toList();
        assertThat(Publication.libraries()).containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void theBomBringsNoVersionsButOurs() {
        Path bom = Repository.path("nopanic-bom/pom.xml");
        assertThat(Publication.texts(bom, "parent", "artifactId")).isEmpty();
        assertThat(Publication.texts(bom, "dependency", "groupId")).containsOnly("io.nopanic");
    }

    @Test
    void theBomHasTheVersionOfAllOthers() {
        assertThat(Publication.texts(Repository.path("nopanic-bom/pom.xml"), "project", "version"))
                .isEqualTo(Publication.texts(Repository.path("pom.xml"), "project", "version"));
    }

    @Test
    void everyLibraryComesWithSourcesAndDocumentationAndIsCheckedForForbiddenCalls() {
        assertThat(Publication.libraries())
                .allSatisfy(library -> assertThat(
                                Publication.texts(Repository.path(library + "/pom.xml"), "plugin", "artifactId"))
                        .contains("maven-source-plugin", "maven-javadoc-plugin", "forbiddenapis"));
    }

    @Test
    void everyLibraryIsARealModule() {
        assertThat(Modules.ofLibraries().keySet()).containsExactlyInAnyOrderElementsOf(Publication.libraries());
        assertThat(Modules.ofLibraries().values())
                .extracting(ModuleReference::descriptor)
                .noneMatch(ModuleDescriptor::isAutomatic);
    }

    @Test
    void librariesShareNoPackage() {
        List<String> packages = new ArrayList<>();
        Modules.ofLibraries()
                .values()
                .forEach(module -> packages.addAll(module.descriptor().packages()));
        assertThat(packages).doesNotHaveDuplicates();
    }

    @Test
    void librariesResolveOnTheModulePath() {
        List<String> names =
                Publication.libraries().stream().map(Modules::moduleName).toList();
        Configuration resolved = Configuration.resolve(
                Modules.finder(), List.of(ModuleLayer.boot().configuration()), ModuleFinder.of(), names);
        assertThat(resolved.modules()).extracting(module -> module.name()).containsAll(names);
    }

    @Test
    void everyPackageOfALibraryIsExportedButTheEngineAndWhatItSharesWithPolicies() {
        assertThat(Modules.ofLibraries().values().stream().flatMap(PublicationTest::hidden))
                .containsOnly("io.nopanic.engine", "io.nopanic.threads");
    }

    private static Stream<String> hidden(ModuleReference module) {
        List<String> exported = module.descriptor().exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .toList();
        return module.descriptor().packages().stream().filter(name -> !exported.contains(name));
    }
}
