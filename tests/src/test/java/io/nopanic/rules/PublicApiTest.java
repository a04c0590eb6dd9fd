package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The public surface of each library stands in {@code docs/api}; a change to it is seen, and meant. A run with
 * {@code -Dapi.update=true} writes the files anew.
 */
class PublicApiTest {

    private static final boolean UPDATE = Boolean.getBoolean("api.update");

    @TestFactory
    Stream<DynamicTest> isWhatTheReviewedTextSays() {
        return Publication.libraries().stream()
                .map(library -> DynamicTest.dynamicTest(library, () -> {
                    Path reviewed = Repository.path("docs/api/" + library + ".txt");
                    assertThat(Modules.ofLibraries()).containsKey(library);
                    String found = describe(Modules.ofLibraries().get(library));
                    if (UPDATE) {
                        Repository.write(reviewed, found);
                    }
                    assertThat(reviewed).hasContent(found);
                }));
    }

    private static String describe(ModuleReference reference) {
        ModuleDescriptor module = reference.descriptor();
        StringBuilder text = new StringBuilder("module " + module.name() + "\n");
        module.requires().stream()
                .filter(required -> required.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE))
                .map(required -> "    requires transitive " + required.name() + "\n")
                .sorted()
                .forEach(text::append);
        module.exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .sorted()
                .forEach(name -> {
                    text.append("\npackage ").append(name).append('\n');
                    types(reference, name)
                            .forEach(type -> text.append('\n').append(PublicApi.describe(type)));
                });
        return text.toString();
    }

    private static List<Class<?>> types(ModuleReference module, String packageName) {
        String topLevelType = packageName.replace('.', '/') + "/[^/$-]+\\.class";
        try (ModuleReader reader = module.open();
                Stream<String> resources = reader.list()) {
            return resources
                    .filter(resource -> resource.matches(topLevelType))
                    .sorted()
                    .<Class<?>>map(PublicApiTest::load)
                    .filter(type -> PublicApi.isSeen(type.getModifiers()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String resource) {
        String name = resource.substring(0, resource.length() - ".class".length()).replace('/', '.');
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
