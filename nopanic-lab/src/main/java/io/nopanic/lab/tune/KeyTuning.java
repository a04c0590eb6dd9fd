package io.nopanic.lab.tune;

import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.replay.LogFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What to set for the calls to one key.
 *
 * @param key what the calls went to
 * @param facts what there is to say about them
 * @param breaker which breaker
 * @param candidates what the breakers did that are spoken of here: the best of each kind, the one in use, none at all, those for other answers
 * @param byAnswer which breaker it would be with each answer to {@link FailureCost#QUESTION}
 * @param slowAfter how long a call takes that is slow
 * @param timeout when to give a call up
 * @param bulkhead how many calls at a time
 * @param retries how often to try again
 * @param hedge when to make a second call beside the first
 * @param predictions what is to be expected of the breaker, and of the one in use, where there were too few incidents to tell it from the log
 */
public record KeyTuning(
        String key,
        LogFacts facts,
        BreakerChoice breaker,
        List<Candidate> candidates,
        Map<FailureCost, BreakerChoice> byAnswer,
        Recommendation<Duration> slowAfter,
        Recommendation<Duration> timeout,
        Recommendation<Integer> bulkhead,
        Recommendation<Retries> retries,
        Recommendation<Duration> hedge,
        List<Prediction> predictions) {}
