package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a span says about the call that it is of, while it is being read. Used again for each span; not thread-safe. */
final class Span {

    private static final Verdict NO_TIME = Verdict.unparsable("the span has no time at which it began");
    private static final Verdict ENDS_BEFORE = Verdict.unparsable("the span ends before it begins");
    private static final Verdict NO_STATUS = Verdict.unparsable("the status is no number from 100 to 999");
    private static final Verdict NO_SPAN = Verdict.unparsable("no span, for it has no trace");
    private static final Verdict NOT_CLIENT = Verdict.dropped("a span of another kind than CLIENT");

    /** The status of HTTP that means the same as each status of gRPC, from 0 on, as google.rpc.Code has them. */
    private static final int[] OF_GRPC = {
        200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401
    };

    /** A threshold other than 0, below which traces are left out; or the older form of the same. */
    private static final Pattern SAMPLED = Pattern.compile("\\b(?:th:(?!0(?![0-9a-f]))|p:(?!0\\b))");

    private final Reading reading;
    private final CallsOfTrace trace;

    /** The service whose calls these are, of all spans until it is said anew. */
    private String caller = "";

    private long startNanos;
    private long endNanos;
    private long durationNanos;
    private boolean hasTrace;
    private boolean isClient;
    private boolean isFailed;
    private int status;
    private int attempt;
    private @Nullable String errorName;
    private @Nullable String host;
    private @Nullable String peer;
    private @Nullable String address;
    private @Nullable String path;
    private @Nullable String process;
    private @Nullable String ownCaller;

    Span(Reading reading) {
        this.reading = reading;
        trace = new CallsOfTrace(reading.intake());
    }

    /** Forgets the last one. */
    void begin() {
        startNanos = 0;
        endNanos = 0;
        durationNanos = CallCursor.UNKNOWN;
        hasTrace = false;
        isClient = false;
        isFailed = false;
        status = 0;
        attempt = 1;
        errorName = null;
        host = null;
        peer = null;
        address = null;
        path = null;
        process = null;
        ownCaller = null;
    }

    /** It belongs to a trace, as every span does. */
    void ofTrace() {
        hasTrace = true;
    }

    void startsAt(long nanos) {
        startNanos = nanos;
    }

    /** In place of {@link #lasts}; 0 if it is not known. */
    void endsAt(long nanos) {
        endNanos = nanos;
    }

    void lasts(long nanos) {
        durationNanos = nanos;
    }

    void kind(String kind) {
        isClient = kind.equals("3") || kind.endsWith("CLIENT") || kind.equals("client");
    }

    void failed() {
        isFailed = true;
    }

    void peer(String name) {
        peer = name;
    }

    void address(String name) {
        address = name;
    }

    /** What this span is called from. */
    void calledFrom(String service) {
        ownCaller = service;
    }

    /** What the spans that follow are called from; empty if that is not said. */
    void allCalledFrom(String service) {
        caller = service;
    }

    /** The process that it is called from, which {@link #process(String, String)} gives a name. */
    void process(String id) {
        process = id;
    }

    /** The name of the service of a process, for all spans until the end of the trace. */
    void process(String id, String service) {
        trace.process(id, service);
    }

    /** All that belongs together has been read. */
    void endOfTrace() {
        trace.end();
    }

    /** An attribute, or a tag. */
    void attribute(String name, String value) {
        switch (name) {
            case "span.kind" -> kind(value);
            case "http.response.status_code", "http.status_code" -> status = number(value);
            case "rpc.grpc.status_code", "grpc.status_code" -> grpc(number(value));
            case "error.type" -> errorType(value);
            case "error" -> isFailed |= !value.equals("false");
            case "otel.status_code" -> isFailed |= value.equals("ERROR");
            case "server.address", "net.peer.name", "peer.hostname", "http.host" -> host = value;
            case "peer.service" -> peer = value;
            case "network.peer.address", "net.sock.peer.addr", "peer.ipv4", "peer.address" -> address = value;
            case "url.path", "http.target", "http.path", "url.full", "http.url" -> path = value;
            case "http.request.resend_count", "http.resend_count" -> attempt = Math.max(0, number(value)) + 1;
            default -> sampling(name, value);
        }
    }

    private void errorType(String value) {
        isFailed = true;
        errorName = value;
    }

    private void grpc(int code) {
        if (code >= 0 && code < OF_GRPC.length) {
            status = OF_GRPC[code];
        }
    }

    private void sampling(String name, String value) {
        boolean isShare = switch (name) {
            case "sampling.probability", "sampling.ratio", "sampler.param" -> isBelowOne(value);
            case "sampler.type" -> !value.equals("const") && !value.equals("probabilistic");
            case "SampleRate" -> !value.equals("1");
            default -> false;
        };
        if (isShare && reading.intake().sampling().wantsHints()) {
            reading.intake().sampling().hint("a span has " + name + "=" + Printable.shortened(value));
        }
    }

    /** The state that goes along with a trace; OpenTelemetry writes in it how many traces are left out. */
    void traceState(String state) {
        int from = state.indexOf("ot=");
        boolean isSampled = from >= 0 && SAMPLED.matcher(state).find(from);
        if (isSampled && reading.intake().sampling().wantsHints()) {
            reading.intake().sampling().hint("traces are sampled: tracestate " + Printable.shortened(state));
        }
    }

    private static boolean isBelowOne(String value) {
        long millionths = Ascii.scaled(Ascii.bytes(value), 0, Ascii.bytes(value).length, 6);
        return millionths >= 0 && millionths < 1_000_000;
    }

    private static int number(String value) {
        byte[] bytes = Ascii.bytes(value);
        return (int) Math.max(-1, Math.min(Ascii.wholeNumber(bytes, 0, bytes.length), Integer.MAX_VALUE - 1));
    }

    /** Hands the call on, if it is one. */
    Verdict end() {
        if (!hasTrace) {
            return NO_SPAN;
        }
        if (!isClient) {
            return NOT_CLIENT;
        }
        if (startNanos <= 0) {
            return NO_TIME;
        }
        if (endNanos != 0) {
            durationNanos = endNanos < startNanos ? Ascii.NOT_A_NUMBER : endNanos - startNanos;
        }
        if (durationNanos < CallCursor.UNKNOWN || startNanos > Long.MAX_VALUE - Math.max(0, durationNanos)) {
            return ENDS_BEFORE;
        }
        if (status != 0 && (status < 100 || status > 999)) {
            return NO_STATUS;
        }
        Intake intake = reading.intake();
        intake.line(startNanos, startNanos + Math.max(0, durationNanos), false);
        String name = key();
        if (name.equals(Keys.MISSING) && reading.by() == KeyBy.KEY && process != null) {
            trace.call(startNanos, durationNanos, ending(), process, attempt);
        } else {
            intake.call(startNanos, durationNanos, ending(), intake.key(name), attempt);
        }
        return Verdict.CALL;
    }

    private Ending ending() {
        Classifier classifier = reading.classifier();
        Ending byStatus = status == 0 ? Ending.SUCCESS : classifier.ofStatus(status);
        if (!isFailed || byStatus != Ending.SUCCESS) {
            return byStatus;
        }
        return errorName == null ? classifier.ofKind(FailureKind.ERROR) : classifier.ofError(errorName);
    }

    private String key() {
        String name = switch (reading.by()) {
            case KEY ->
                host != null ? host : peer != null ? peer : Keys.calledBy(ownCaller != null ? ownCaller : caller);
            case HOST -> host;
            case UPSTREAM -> address;
            case PATH1 -> path == null ? null : Keys.firstOfPath(path);
            case NONE -> Keys.ALL;
        };
        return name == null || name.isEmpty() ? Keys.MISSING : name;
    }
}
