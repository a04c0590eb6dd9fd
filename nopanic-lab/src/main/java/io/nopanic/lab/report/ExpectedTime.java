package io.nopanic.lab.report;

import io.nopanic.lab.predict.Line;
import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.predict.Unit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long something takes, according to several predictions: in health, and in a total outage if it ends at all.
 *
 * @param name what
 * @param lines in the order of the predictions; nothing where one says nothing of it
 */
public record ExpectedTime(String name, List<Optional<Line>> lines) {

    /** All that any of them says. */
    public static List<ExpectedTime> of(List<Prediction> predictions) {
        Map<String, ExpectedTime> times = new LinkedHashMap<>();
        for (Prediction prediction : predictions) {
            for (Line line : prediction.lines()) {
                if (isTold(line)) {
                    times.computeIfAbsent(line.name(), name -> named(name, predictions));
                }
            }
        }
        return List.copyOf(times.values());
    }

    private static boolean isTold(Line line) {
        boolean told = line.topic() == Topic.HEALTHY
                || (line.topic() == Topic.BAD && Double.isFinite(line.estimate().value()));
        return told && line.unit() == Unit.SECONDS;
    }

    private static ExpectedTime named(String name, List<Prediction> predictions) {
        return new ExpectedTime(
                name,
                predictions.stream()
                        .map(prediction -> prediction.lines().stream()
                                .filter(ExpectedTime::isTold)
                                .filter(line -> line.name().equals(name))
                                .reduce((first, second) -> second))
                        .toList());
    }
}
