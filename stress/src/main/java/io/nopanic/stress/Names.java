package io.nopanic.stress;

import java.util.List;
import java.util.function.BiPredicate;

/** The names on a command line. */
public final class Names {

    private Names() {}

    /**
     * What was asked for by name; all, if nothing was.
     *
     * @param isCalled whether one may be asked for by a name
     * @throws Unknown if one of the names is that of nothing
     */
    public static <T> List<T> choose(List<String> asked, List<T> all, BiPredicate<T, String> isCalled) {
        for (String name : asked) {
            if (all.stream().noneMatch(one -> isCalled.test(one, name))) {
                throw new Unknown(name);
            }
        }
        return all.stream()
                .filter(one -> asked.isEmpty() || asked.stream().anyMatch(name -> isCalled.test(one, name)))
                .toList();
    }

    /** Nothing has this name. */
    public static final class Unknown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unknown(String name) {
            super("nothing is called " + name);
        }
    }
}
