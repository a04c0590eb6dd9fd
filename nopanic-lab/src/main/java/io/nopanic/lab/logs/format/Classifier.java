package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which ends of calls are failures of the dependency, and which say nothing. Said in terms, divided by commas:
 *
 * <ul>
 *   <li>a status code such as {@code 429}, or a class of them such as {@code 5xx};
 *   <li>{@code timeout}, {@code io}, {@code error} or {@code cancelled}: the names of {@link FailureKind};
 *   <li>the name of an error as a log writes it, with an upper-case letter or a dot in it, such as {@code IllegalArgumentException}.
 * </ul>
 *
 * <p>What is named more exactly wins: a code or the name of an error over a class or a kind. Between two that are equally exact ignoring wins
 * over failing. What nobody names is a success if it is a status, for there was an answer, and is ignored otherwise. The name of an error that
 * nobody names is of the kind that it speaks of, else {@code error}. The status 504 is a {@code timeout} as well as a {@code 5xx}, and what fails
 * with either is an {@link Ending#TIMEOUT}.
 *
 * <p>Immutable and thread-safe.
 */
public final class Classifier {

    /** What fails if nobody says otherwise. */
    public static final String DEFAULT_FAIL = "5xx,429,timeout,io,error";

    /** What is ignored if nobody says otherwise. */
    public static final String DEFAULT_IGNORE = "4xx,cancelled";

    private static final int STATUSES = 1000;
    private static final String TIMEOUT = "timeout";
    private static final int MAX_ERROR_LENGTH = 200;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final Pattern STATUS = Pattern.compile("[1-9]\\d\\d");
    private static final Pattern STATUS_CLASS = Pattern.compile("[1-9]xx");
    private static final Pattern ERROR_NAME = Pattern.compile("(?=.*[A-Z.])[\\w.$:-]+");

    private final String description;
    private final Ending[] ofStatus = new Ending[STATUSES];
    private final Map<FailureKind, Ending> ofKind = new EnumMap<>(FailureKind.class);
    private final Map<String, Ending> ofError = new HashMap<>();

    private Classifier(String fail, String ignore) {
        Set<String> failing = terms("fail", fail);
        Set<String> ignored = terms("ignore", ignore);
        description = "failures: " + (failing.isEmpty() ? "none" : String.join(", ", failing)) + "; ignored: "
                + (ignored.isEmpty() ? "none" : String.join(", ", ignored));
        for (int status = 0; status < STATUSES; status++) {
            ofStatus[status] = decide(status, failing, ignored);
        }
        for (FailureKind kind : FailureKind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            boolean fails = failing.contains(name) && !ignored.contains(name);
            ofKind.put(kind, fails ? failure(kind == FailureKind.TIMEOUT) : Ending.IGNORED);
        }
        failing.stream().filter(Classifier::isErrorName).forEach(name -> ofError.put(name, failure(isTimeout(name))));
        ignored.stream().filter(Classifier::isErrorName).forEach(name -> ofError.put(name, Ending.IGNORED));
    }

    /**
     * A classifier.
     *
     * @param fail terms of what fails; may be empty
     * @param ignore terms of what says nothing; may be empty
     * @throws IllegalArgumentException if a term is none of the above
     */
    public static Classifier of(String fail, String ignore) {
        return new Classifier(fail, ignore);
    }

    /** With {@value #DEFAULT_FAIL} and {@value #DEFAULT_IGNORE}. */
    public static Classifier standard() {
        return of(DEFAULT_FAIL, DEFAULT_IGNORE);
    }

    /** How a call ended that was answered with a status from 100 to 999. */
    public Ending ofStatus(int status) {
        return ofStatus[status];
    }

    /** How a call ended that failed like this. */
    public Ending ofKind(FailureKind kind) {
        return ofKind.getOrDefault(kind, Ending.FAILURE);
    }

    /** How a call ended that failed with an error of this name, with or without the package in front of it. */
    public Ending ofError(String name) {
        Ending named = ofError.get(name);
        if (named == null) {
            named = ofError.get(name.substring(name.lastIndexOf('.') + 1));
        }
        return named != null ? named : ofKind(kindOf(name));
    }

    private static FailureKind kindOf(String error) {
        String name = error.substring(0, Math.min(error.length(), MAX_ERROR_LENGTH))
                .strip()
                .toLowerCase(Locale.ROOT);
        if (isTimeout(name)) {
            return FailureKind.TIMEOUT;
        }
        if (name.contains("cancel") || name.contains("interrupt")) {
            return FailureKind.CANCELLED;
        }
        boolean isConnection = name.matches(
                        "(?:.*\\.)?(?:io|eof|socket|connect\\w*|unknownhost|noroutetohost|sslhandshake)(?:exception|error)?")
                || name.matches("io|.*\\b(?:econnrefused|econnreset)\\b.*");
        return isConnection ? FailureKind.IO : FailureKind.ERROR;
    }

    private static boolean isTimeout(String name) {
        return name.toLowerCase(Locale.ROOT)
                .replaceAll("[ _-]", "")
                .matches(".*(?:timeout|timedout|deadlineexceeded).*");
    }

    private static Ending decide(int status, Set<String> failing, Set<String> ignored) {
        String code = Integer.toString(status);
        String statusClass = status / 100 + "xx";
        if (ignored.contains(code)) {
            return Ending.IGNORED;
        }
        if (failing.contains(code)) {
            return failure(status == GATEWAY_TIMEOUT);
        }
        boolean isTimeout = status == GATEWAY_TIMEOUT;
        if (ignored.contains(statusClass) || (isTimeout && ignored.contains(TIMEOUT))) {
            return Ending.IGNORED;
        }
        boolean fails = failing.contains(statusClass) || (isTimeout && failing.contains(TIMEOUT));
        return fails ? failure(isTimeout) : Ending.SUCCESS;
    }

    private static Ending failure(boolean timeout) {
        return timeout ? Ending.TIMEOUT : Ending.FAILURE;
    }

    private static Set<String> terms(String setting, String text) {
        Set<String> terms = new LinkedHashSet<>();
        for (String term : text.split(",", -1)) {
            String stripped = term.strip();
            if (stripped.isEmpty()) {
                continue;
            }
            String lower = stripped.toLowerCase(Locale.ROOT);
            boolean isWord = STATUS.matcher(lower).matches()
                    || STATUS_CLASS.matcher(lower).matches()
                    || isKind(lower);
            if (!isWord && !isErrorName(stripped)) {
                throw new IllegalArgumentException(setting + " is '" + stripped
                        + "', allowed is a status (429), a class of them (5xx), timeout, io, error, cancelled, or the name of an"
                        + " error (IllegalArgumentException); several are divided by commas");
            }
            terms.add(isWord ? lower : stripped);
        }
        return terms;
    }

    private static boolean isKind(String term) {
        for (FailureKind kind : FailureKind.values()) {
            if (kind.name().equalsIgnoreCase(term)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isErrorName(String term) {
        return ERROR_NAME.matcher(term).matches();
    }

    @Override
    public String toString() {
        return description;
    }
}
