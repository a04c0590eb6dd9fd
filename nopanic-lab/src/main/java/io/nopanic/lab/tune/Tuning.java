package io.nopanic.lab.tune;

import java.util.List;

/**
 * What to set.
 *
 * @param wishes what was asked for
 * @param keys the busiest first, at most {@value Tuner#MOST_KEYS}
 * @param otherKeys how many there are beside these
 * @param otherCalls how many calls went to those
 */
public record Tuning(Wishes wishes, List<KeyTuning> keys, int otherKeys, long otherCalls) {}
