package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link CircuitBreakerBuilder} was told about what is a failure: a classifier, or rules for one, or nothing. */
final class FailureSettings {

    private @Nullable Classifier classifier;
    private Classifier.@Nullable Builder rules;

    void classifier(Classifier value) {
        classifier = Objects.requireNonNull(value, "classifier");
        rules = null;
    }

    Classifier.Builder rules() {
        if (classifier != null) {
            throw new IllegalStateException("a classifier was given; put the rule into that");
        }
        if (rules == null) {
            rules = Classifier.builder();
        }
        return rules;
    }

    Classifier classifier() {
        if (rules != null) {
            return rules.build();
        }
        return classifier != null ? classifier : Classifier.standard();
    }
}
