package io.nopanic.lab.predict;

import java.util.List;

/**
 * What is to be expected of a policy.
 *
 * @param policy what the user called it
 * @param description what it does, in words
 * @param conditions under which
 * @param lines what is expected, topic by topic
 * @param warnings what is known to go wrong with such settings
 * @param notes how the policy differs from what its name promises, and what was assumed
 */
public record Prediction(
        String policy,
        String description,
        Conditions conditions,
        List<Line> lines,
        List<String> warnings,
        List<String> notes) {}
