package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of Envoy. Its flags say more than the status, which Envoy makes up when there was no answer; a line that has neither is of a connection
 * that ended well, and one that has only a flag that is not known is of one that did not.
 */
final class EnvoyCall implements Meaning {

    private static final Verdict NO_STATUS = Verdict.unparsable("the status is no number from 100 to 999, nor 0");

    private static final Map<String, Verdict> NOT_SENT = notSent();

    private static final Map<String, FailureKind> KINDS = Map.ofEntries(
            Map.entry("UT", FailureKind.TIMEOUT),
            Map.entry("SI", FailureKind.TIMEOUT),
            Map.entry("DT", FailureKind.TIMEOUT),
            Map.entry("UMSDR", FailureKind.TIMEOUT),
            Map.entry("UF", FailureKind.IO),
            Map.entry("UC", FailureKind.IO),
            Map.entry("UH", FailureKind.IO),
            Map.entry("LH", FailureKind.IO),
            Map.entry("LR", FailureKind.IO),
            Map.entry("UR", FailureKind.IO),
            Map.entry("URX", FailureKind.IO),
            Map.entry("UPE", FailureKind.IO),
            Map.entry("DF", FailureKind.IO),
            Map.entry("DC", FailureKind.CANCELLED));

    private final Classifier classifier;
    private final Intake intake;
    private final Keys keys;
    private final Moment moment;

    EnvoyCall(Reading reading) {
        this.classifier = reading.classifier();
        this.intake = reading.intake();
        this.keys = new Keys(reading);
        this.moment = new Moment(intake);
    }

    private static Map<String, Verdict> notSent() {
        Map<String, Verdict> flags = new HashMap<>();
        flags.put("UO", Verdict.dropped("refused by the proxy's own circuit breaker (UO)"));
        flags.put("RL", Verdict.dropped("refused by a rate limit of the proxy (RL)"));
        flags.put("RFCF", Verdict.dropped("answered from a cache (RFCF)"));
        for (String flag : List.of("NR", "NC", "UAEX", "RLSE", "IH", "DPE", "FI", "OM")) {
            flags.put(flag, Verdict.dropped("answered by the proxy itself (" + flag + ")"));
        }
        return Map.copyOf(flags);
    }

    @Override
    public Verdict read(Fields fields) {
        int status =
                fields.has(Fields.STATUS) && fields.wholeNumber(Fields.STATUS) != 0 ? fields.status(Fields.STATUS) : 0;
        if (status < 0) {
            return NO_STATUS;
        }
        boolean hasFlags = fields.has(Fields.FLAGS);
        @Nullable FailureKind kind = null;
        if (hasFlags) {
            for (String flag : fields.text(Fields.FLAGS).split(",", -1)) {
                Verdict notSent = NOT_SENT.get(flag);
                if (notSent != null) {
                    return notSent;
                }
                kind = kind == null ? KINDS.get(flag) : kind;
            }
        }
        if (kind == null && hasFlags && status == 0) {
            kind = FailureKind.IO;
        }
        Verdict verdict = moment.read(fields);
        if (verdict.isCall()) {
            intake.call(moment.startNanos(), moment.durationNanos(), ending(kind, status), keys.of(fields), 1);
        }
        return verdict;
    }

    private Ending ending(@Nullable FailureKind kind, int status) {
        if (kind != null) {
            return classifier.ofKind(kind);
        }
        return status == 0 ? Ending.SUCCESS : classifier.ofStatus(status);
    }
}
