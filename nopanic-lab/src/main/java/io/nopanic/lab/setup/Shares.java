package io.nopanic.lab.setup;

/** Shares as people write them: {@code 0.5}, or {@code 50%}. */
public final class Shares {

    private static final double PERCENT = 100;

    private Shares() {}

    /**
     * Reads a share.
     *
     * @param what names it in complaints
     * @throws IllegalArgumentException if it is none from 0 to 1
     */
    public static double parse(String what, String text) {
        String stripped = text.strip();
        boolean percent = stripped.endsWith("%");
        double number;
        try {
            number = Double.parseDouble(percent ? stripped.substring(0, stripped.length() - 1) : stripped);
        } catch (NumberFormatException e) {
            throw Settings.refused(what, text, "a share such as 0.5 or 50%");
        }
        double share = percent ? number / PERCENT : number;
        if (!(share >= 0 && share <= 1)) {
            throw Settings.refused(what, text, "a share from 0 to 1, such as 0.5 or 50%");
        }
        return share;
    }
}
