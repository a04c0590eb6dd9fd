package io.nopanic.lab.tune;

import io.nopanic.lab.setup.WrittenPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A recommendation as lines to paste. */
public final class Snippet {

    private static final String INDENT = "        ";

    private Snippet() {}

    /** Statements of Java, with {@code io.nopanic} and {@code java.time} imported. */
    public static List<String> java(KeyTuning tuning) {
        List<String> lines = new ArrayList<>();
        List<String> policies = new ArrayList<>();
        tuning.retries().value().filter(retries -> retries.attempts() > 1).ifPresent(retries -> {
            lines.addAll(statement("Retry retry", retries(retries)));
            policies.add("retry");
        });
        tuning.hedge().value().ifPresent(delay -> lines.add("// If calls may be made twice, between retry and breaker: Hedge.ofDelay("
                + WrittenPolicy.java(delay) + ")"));
        lines.addAll(statement("CircuitBreaker breaker", WrittenPolicy.java(tuning.breaker().spec(), name(tuning.key()))));
        policies.add("breaker");
        tuning.bulkhead().value().ifPresent(slots -> policies.add("Bulkhead.of(" + slots + ")"));
        tuning.timeout().value().ifPresent(after -> policies.add("Timeout.of(" + WrittenPolicy.java(after) + ")"));
        lines.add("Pipeline pipeline = Pipeline.of(" + String.join(", ", policies) + ");");
        return List.copyOf(lines);
    }

    /** The breaker, as properties that {@code --policy} reads. */
    public static List<String> properties(KeyTuning tuning) {
        return WrittenPolicy.properties(tuning.breaker().spec());
    }

    private static List<String> retries(Retries retries) {
        return List.of(
                "Retry.builder()",
                INDENT + String.format(Locale.ROOT, ".attempts(%d)", retries.attempts()),
                INDENT + ".budget(Budget.builder().ratio(" + retries.budgetRatio() + ").build())",
                INDENT + ".build()");
    }

    private static List<String> statement(String declared, List<String> expression) {
        List<String> lines = new ArrayList<>(expression);
        lines.set(0, declared + " = " + lines.get(0));
        lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ";");
        return lines;
    }

    /** A key can be anything; a name in Java source cannot. */
    private static String name(String key) {
        String name = key.replaceAll("[^A-Za-z0-9._:/ -]", "_").strip();
        return name.isEmpty() ? "dependency" : name;
    }
}
