package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A call as our own two formats write it. Whether it failed is said by {@code ok}, and of what kind the failure was by {@code status} or
 * {@code error}; where there is no {@code ok}, these say both.
 */
final class OwnCall implements Meaning {

    private static final Verdict NO_ENDING = Verdict.unparsable("neither ok, nor status, nor error");
    private static final Verdict NEITHER_TRUE_NOR_FALSE = Verdict.unparsable("ok is neither true nor false");
    private static final Verdict NO_STATUS = Verdict.unparsable("status is no number from 100 to 999");
    private static final Verdict NO_ATTEMPT = Verdict.unparsable("attempt is no whole number of at least 1");
    private static final int MAX_KINDS_OF_REFUSAL = 20;
    private static final int MAX_KIND_LENGTH = 40;

    private final Classifier classifier;
    private final Intake intake;
    private final Keys keys;
    private final Moment moment;
    private final Map<String, Verdict> refusals = new HashMap<>();

    OwnCall(Reading reading) {
        this.classifier = reading.classifier();
        this.intake = reading.intake();
        this.keys = new Keys(reading);
        this.moment = new Moment(intake);
    }

    @Override
    public Verdict read(Fields fields) {
        if (!fields.has(Fields.START_TIME) && isAboutTheLog(fields)) {
            return Verdict.NOTHING;
        }
        if (fields.has(Fields.REJECTED) && !isNothing(fields.text(Fields.REJECTED))) {
            return refusal(fields.text(Fields.REJECTED));
        }
        boolean saysOk = fields.has(Fields.OK);
        boolean failed = saysOk && !isYes(fields);
        if (saysOk && failed && !isNo(fields)) {
            return NEITHER_TRUE_NOR_FALSE;
        }
        int status = fields.has(Fields.STATUS) ? fields.status(Fields.STATUS) : 0;
        if (status < 0) {
            return NO_STATUS;
        }
        boolean saysError = fields.has(Fields.ERROR);
        boolean hasError = saysError && !isNothing(fields.text(Fields.ERROR));
        if (!saysOk && status == 0 && !saysError) {
            return NO_ENDING;
        }
        long attempt = fields.has(Fields.ATTEMPT) ? fields.wholeNumber(Fields.ATTEMPT) : 1;
        if (attempt < 1) {
            return NO_ATTEMPT;
        }
        Verdict verdict = moment.read(fields);
        if (verdict.isCall()) {
            boolean isSuccess = saysOk ? !failed : saysError && !hasError && status == 0;
            Ending ending = isSuccess ? Ending.SUCCESS : ending(fields, status, hasError);
            boolean isOdd = failed && ending == Ending.SUCCESS;
            int atMost = (int) Math.min(attempt, Integer.MAX_VALUE);
            intake.call(
                    moment.startNanos(),
                    moment.durationNanos(),
                    isOdd ? classifier.ofKind(FailureKind.ERROR) : ending,
                    keys.of(fields),
                    atMost);
        }
        return verdict;
    }

    private Ending ending(Fields fields, int status, boolean hasError) {
        if (hasError) {
            return classifier.ofError(fields.text(Fields.ERROR));
        }
        return status > 0 ? classifier.ofStatus(status) : classifier.ofKind(FailureKind.ERROR);
    }

    /** What a recorder writes about its own log: that it takes a sample, that it lost lines. */
    private boolean isAboutTheLog(Fields fields) {
        boolean isOne = false;
        if (fields.has(Fields.SAMPLE)) {
            isOne = true;
            if (!fields.text(Fields.SAMPLE).matches("1(\\.0*)?")) {
                intake.sampling()
                        .hint("only a share of " + Printable.shortened(fields.text(Fields.SAMPLE))
                                + " of all calls was recorded");
            }
        }
        if (fields.has(Fields.LOST)) {
            isOne = true;
            intake.sampling().lost(Math.max(0, fields.wholeNumber(Fields.LOST)));
        }
        return isOne;
    }

    private Verdict refusal(String kind) {
        boolean isNew = refusals.size() < MAX_KINDS_OF_REFUSAL && kind.length() <= MAX_KIND_LENGTH;
        String named = isNew || refusals.containsKey(kind) ? kind : "another policy";
        return refusals.computeIfAbsent(
                named, name -> Verdict.dropped("refused, never sent: " + Printable.shortened(name)));
    }

    /** Programs that always write the field of an error or of who refused the call write one of these where there was none. */
    private static boolean isNothing(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "", "false", "0", "no", "none", "null" -> true;
            default -> false;
        };
    }

    private static boolean isYes(Fields fields) {
        return switch (fields.text(Fields.OK).toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes", "ok" -> true;
            default -> false;
        };
    }

    private static boolean isNo(Fields fields) {
        return switch (fields.text(Fields.OK).toLowerCase(Locale.ROOT)) {
            case "false", "0", "no" -> true;
            default -> false;
        };
    }
}
