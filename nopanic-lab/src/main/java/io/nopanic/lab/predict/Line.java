package io.nopanic.lab.predict;

/**
 * One line of a prediction.
 *
 * @param topic under which heading it stands
 * @param key names it for programs
 * @param name names it for people
 */
public record Line(Topic topic, String key, String name, Unit unit, Estimate estimate) {

    /** The headings, in their order. */
    public enum Topic {
        /** Nothing is wrong. */
        HEALTHY,
        /** The failure rate has changed for the worse. */
        BAD,
        /** It does so for a time. */
        OUTAGE,
        /** Calls hang. */
        HANGING,
        /** Slots for calls at a time. */
        BULKHEAD
    }
}
