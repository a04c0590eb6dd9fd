package io.nopanic.lab.logs.format;

/**
 * What a line turned out to be. Formats have one of these for each thing that can be wrong, so that a bad line costs nothing.
 *
 * @param kind what it was
 * @param reason why, in words
 */
public record Verdict(Kind kind, String reason) {

    /** It was one call or more. */
    public static final Verdict CALL = new Verdict(Kind.CALL, "a call");

    /** There is nothing on it, or something that is no call and should not be one, such as the names of columns. */
    public static final Verdict NOTHING = new Verdict(Kind.NOTHING, "nothing");

    /** What a line can be. */
    public enum Kind {
        /** One call or more. */
        CALL,
        /** No call, and none expected. */
        NOTHING,
        /** A call that did not go to the dependency, or is not one of those that are looked for. */
        DROPPED,
        /** Not what the format says. */
        UNPARSABLE
    }

    /** Whether it was one call or more. */
    public boolean isCall() {
        return kind == Kind.CALL;
    }

    /** A call that is left out. */
    public static Verdict dropped(String reason) {
        return new Verdict(Kind.DROPPED, reason);
    }

    /** Not what the format says. */
    public static Verdict unparsable(String reason) {
        return new Verdict(Kind.UNPARSABLE, reason);
    }
}
