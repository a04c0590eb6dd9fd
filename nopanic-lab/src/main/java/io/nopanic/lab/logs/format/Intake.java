package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.spool.CallSink;
import io.nopanic.lab.logs.spool.KeyTable;

/** Takes what formats read: watches the order of the lines, spreads stamps of whole seconds, counts, and hands on. Not thread-safe. */
public final class Intake {

    private final KeyTable keys;
    private final Spread spread;
    private final CallSink sink;
    private final Order order = new Order();
    private final Sampling sampling = new Sampling();
    private boolean isSpread;
    private long calls;
    private long withoutDuration;
    private long spreadLines;

    /**
     * @param keys gives keys their numbers
     * @param seed of the random numbers that spread whole seconds
     * @param sink takes the calls
     */
    public Intake(KeyTable keys, long seed, CallSink sink) {
        this.keys = keys;
        this.sink = sink;
        this.spread = new Spread(seed, sink);
    }

    /** The next line, of calls that began and ended within these; {@code wholeSeconds} if no part of a second was given. */
    void line(long startNanos, long endNanos, boolean wholeSeconds) {
        order.line(startNanos, endNanos, wholeSeconds);
        isSpread = wholeSeconds;
        if (wholeSeconds) {
            spreadLines++;
            spread.line(startNanos, endNanos);
        }
    }

    /** A call of that line. */
    void call(long startNanos, long durationNanos, Ending ending, int key, int attempt) {
        calls++;
        if (durationNanos < 0) {
            withoutDuration++;
        }
        CallSink next = isSpread ? spread : sink;
        next.accept(startNanos, durationNanos, ending, key, attempt);
    }

    /** The number of a key. */
    int key(byte[] bytes, int from, int to) {
        return keys.numberOf(bytes, from, to);
    }

    /** The number of a key. */
    int key(String key) {
        return keys.numberOf(key);
    }

    /** What the log says about calls that are not in it. */
    public Sampling sampling() {
        return sampling;
    }

    /** In what order the lines were. */
    public Order order() {
        return order;
    }

    /** The end of a file: lines of another are in an order of their own. */
    public void endOfFile() {
        spread.flush();
        order.endOfFile();
    }

    /** How many calls came in. */
    public long calls() {
        return calls;
    }

    /** How many of them without a duration. */
    public long withoutDuration() {
        return withoutDuration;
    }

    /** How many lines had a time in whole seconds. */
    public long spreadLines() {
        return spreadLines;
    }
}
