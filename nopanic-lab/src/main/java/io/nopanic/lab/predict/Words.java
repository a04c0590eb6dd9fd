package io.nopanic.lab.predict;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers in sentences. */
final class Words {

    private Words() {}

    /** Three digits, and no more than needed. */
    static String number(double value) {
        if (value != 0 && (value < 1e-3 || value >= 1e6)) {
            return String.format(Locale.ROOT, "%.1e", value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        return rounded.stripTrailingZeros().toPlainString();
    }

    /** A share as a percentage. */
    static String percent(double share) {
        return number(share * 100) + " %";
    }

    /** A time. */
    static String seconds(double seconds) {
        return seconds < 1 ? number(seconds * 1000) + " ms" : number(seconds) + " s";
    }
}
