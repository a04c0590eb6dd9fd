package io.nopanic.rules;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The libraries as Java modules, taken from the class path of the tests. */
final class Modules {

    private Modules() {}

    /** The module of each library that is on the class path, by the name of its artifact. */
    static Map<String, ModuleReference> ofLibraries() {
        Map<String, ModuleReference> found = new TreeMap<>();
        for (String library : Publication.libraries()) {
            finder().find(moduleName(library)).ifPresent(module -> found.put(library, module));
        }
        return found;
    }

    /** The packages that users of the libraries see. */
    static List<String> exportedPackages() {
        return ofLibraries().values().stream()
                .flatMap(module -> module.descriptor().exports().stream())
                .map(exported -> exported.source())
                .sorted()
                .toList();
    }

    /** Finds all modules on the class path. */
    static ModuleFinder finder() {
        Path[] places = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> !place.endsWith("test-classes"))
                .map(Path::of)
                .toArray(Path[]::new);
        return ModuleFinder.of(places);
    }

    static String moduleName(String artifact) {
        return "io." + artifact.replace('-', '.');
    }
}
