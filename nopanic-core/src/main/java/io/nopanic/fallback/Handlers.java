package io.nopanic.fallback;

import io.nopanic.spi.Require;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All handlers of a fallback, in the order in which they are asked, and what none of them is asked about. Thread-safe. */
final class Handlers {

    private final List<Handler> byType;
    private final List<Handler> forBadResult;
    private final List<Predicate<@Nullable Object>> ignored;
    private final Judge judge = new Judge();

    /**
     * @param all every handler, in the order of registration
     * @param forBadResult those of them that answer bad results, if there can be any
     * @param ignored failures that stay as they are
     */
    Handlers(List<Handler> all, List<Handler> forBadResult, List<Predicate<@Nullable Object>> ignored) {
        // The sort is stable: handlers of one type stay in the order of registration.
        byType = all.stream()
                .sorted(Comparator.comparingInt(Handler::depth).reversed())
                .toList();
        this.forBadResult = List.copyOf(forBadResult);
        this.ignored = List.copyOf(ignored);
        refuseUnreachable();
    }

    /** The most specific type first. */
    List<Handler> byType() {
        return byType;
    }

    List<Handler> forBadResult() {
        return forBadResult;
    }

    boolean anyRemembers() {
        return byType.stream().anyMatch(each -> !each.isFinal());
    }

    /** Whether any handler takes failures of about every kind. */
    boolean anyIsGeneral() {
        return byType.stream().anyMatch(each -> each.type().isAssignableFrom(RuntimeException.class));
    }

    boolean isIgnored(Throwable failure) {
        for (Predicate<@Nullable Object> each : ignored) {
            if (judge.matches(each, failure)) {
                return true;
            }
        }
        return false;
    }

    String describe() {
        String answers = byType.stream()
                .map(each -> each.type().getSimpleName() + ": " + each.kind())
                .collect(Collectors.joining(", "));
        return ignored.isEmpty()
                ? answers
                : answers + "; ignores by " + ignored.size() + (ignored.size() == 1 ? " rule" : " rules");
    }

    private void refuseUnreachable() {
        Set<Class<?>> answered = new HashSet<>();
        for (Handler each : byType) {
            if (answered.contains(each.type()) && !answersBadResults(each)) {
                throw Require.refused(
                        each.kind(),
                        "for " + each.type().getName(),
                        "one final answer for a type, after its last good results; this one would never be used");
            }
            if (each.isFinal()) {
                answered.add(each.type());
            }
        }
    }

    private boolean answersBadResults(Handler handler) {
        for (Handler each : forBadResult) {
            if (each.answer() == handler.answer()) {
                return true;
            }
            if (each.isFinal()) {
                return false;
            }
        }
        return false;
    }
}
