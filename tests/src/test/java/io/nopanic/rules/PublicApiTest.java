package io.nopanic.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The public surface of each library stands in {@code docs/api}; a change to it is seen, and meant. A run with
 * {@code -Dapi.update=true} writes the files anew.
 */
class PublicApiTest {

    private static final boolean UPDATE = Boolean.getBoolean("api.update");

    private final Map<String, URL> modules = findModules();

    @TestFactory
    Stream<DynamicTest> isWhatTheReviewedTextSays() {
        return Publication.libraries().stream()
                .map(library -> DynamicTest.dynamicTest(library, () -> {
                    Path reviewed = Repository.path("docs/api/" + library + ".txt");
                    String found = describe(library.replace('-', '.').replaceFirst("nopanic", "io.nopanic"));
                    if (UPDATE) {
                        Repository.write(reviewed, found);
                    }
                    assertThat(reviewed).hasContent(found);
                }));
    }

    private String describe(String moduleName) {
        URL descriptor = modules.get(moduleName);
        assertThat(descriptor).as("descriptor of the module %s", moduleName).isNotNull();
        try {
            URI uri = descriptor.toURI();
            if (!uri.getScheme().equals("jar")) {
                return describe(Path.of(uri).getParent());
            }
            try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                return describe(jar.getPath("/"));
            }
        } catch (Exception e) {
            throw new IllegalStateException("cannot read " + descriptor, e);
        }
    }

    private static String describe(Path root) throws IOException {
        ModuleDescriptor module = read(root.resolve("module-info.class").toUri().toURL());
        StringBuilder text = new StringBuilder("module " + module.name() + "\n");
        module.requires().stream()
                .filter(required -> required.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE))
                .map(required -> "    requires transitive " + required.name() + "\n")
                .sorted()
                .forEach(text::append);
        List<String> packages = module.exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .sorted()
                .toList();
        for (String name : packages) {
            text.append("\npackage ").append(name).append('\n');
            types(root, name).forEach(type -> text.append('\n').append(PublicApi.describe(type)));
        }
        return text.toString();
    }

    private static List<Class<?>> types(Path root, String packageName) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("[^$-]+\\.class"))
                    .sorted()
                    .map(file -> load(packageName + "." + file.substring(0, file.length() - ".class".length())))
                    .filter(type -> PublicApi.isSeen(type.getModifiers()))
                    .collect(Collectors.toList());
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, URL> findModules() {
        try {
            Map<String, URL> found = new TreeMap<>();
            for (URL url : Collections.list(PublicApiTest.class.getClassLoader().getResources("module-info.class"))) {
                found.put(read(url).name(), url);
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ModuleDescriptor read(URL url) throws IOException {
        try (InputStream in = url.openStream()) {
            return ModuleDescriptor.read(in);
        }
    }
}
