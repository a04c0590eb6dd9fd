package io.nopanic.lab.setup;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant. */
public final class Nearest {

    private Nearest() {}

    /** The known word that takes the fewest changes of a letter, if that is not more than two, or a third of them. */
    public static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String each) -> distance(word, each))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(each -> distance(word, each) <= Math.max(2, each.length() / 3));
    }

    /** " (did you mean ...?)", or nothing. */
    public static String hint(String word, Collection<String> known) {
        return to(word, known).map(each -> " (did you mean '" + each + "'?)").orElse("");
    }

    /** Insertions, deletions and replacements of letters (Levenshtein), upper and lower case alike. */
    private static int distance(String first, String second) {
        String a = first.toLowerCase(Locale.ROOT);
        String b = second.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
