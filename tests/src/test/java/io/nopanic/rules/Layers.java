package io.nopanic.rules;

import java.util.List;

/**
 * Which package may know which. The packages of the toolkit stand on top of each other in a fixed order, and all that the order
 * does not name are policies: they stand side by side on one level and do not know each other.
 */
final class Layers {

    private static final String ROOT = "io.nopanic.";
    private static final String POLICIES = "";
    private static final List<String> FROM_THE_BOTTOM = List.of(
            "threads",
            "time",
            "outcome",
            "events",
            "spi",
            "tuning",
            "budget",
            POLICIES,
            "engine",
            "pipeline",
            "cache",
            "recorder",
            "testkit");

    private Layers() {}

    static boolean isOurs(String packageName) {
        return packageName.startsWith(ROOT);
    }

    /** The part of a package's name that tells its place: {@code retry} for {@code io.nopanic.retry} and all below it. */
    static String slice(String packageName) {
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }

    static boolean isPolicy(String packageName) {
        return isOurs(packageName) && !FROM_THE_BOTTOM.contains(slice(packageName));
    }

    /** Whether code of one package may use code of another. */
    static boolean mayUse(String from, String to) {
        if (!isOurs(from) || !isOurs(to)) {
            return true;
        }
        return slice(from).equals(slice(to)) || level(to) < level(from);
    }

    private static int level(String packageName) {
        String slice = slice(packageName);
        return FROM_THE_BOTTOM.indexOf(FROM_THE_BOTTOM.contains(slice) ? slice : POLICIES);
    }
}
