package io.nopanic.benchmarks.contestants;

import io.nopanic.benchmarks.contestants.Group.Calls;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Looks whether a contestant does the work that its group is about, so that nobody is measured who does less. */
public final class Rehearsal {

    private static final int ROUNDS = 400;
    private static final int CALLS = 3 * ROUNDS;

    private int made;
    private int answered;
    private int replaced;
    private int failed;
    private int refused;

    private Rehearsal() {}

    /**
     * Makes some calls.
     *
     * @throws IllegalStateException if they end as those of its group do not
     */
    public static void of(Contestant contestant) {
        Rehearsal rehearsal = new Rehearsal();
        try {
            rehearsal.call(contestant.maker().get(), contestant.group().calls());
        } catch (Exception e) {
            throw new IllegalStateException(contestant.key() + " cannot do its work: " + e, e);
        }
        rehearsal.check(contestant);
    }

    private void call(Subject subject, Calls calls) throws Exception {
        Callable<Object> body = Work.of(calls);
        Callable<Object> counting = () -> {
            made++;
            return body.call();
        };
        for (int i = 1; i <= CALLS; i++) {
            if (subject instanceof Guard guard) {
                callOnce(() -> guard.call(counting));
            } else if (subject instanceof StagedGuard guard) {
                callOnce(() -> pending(guard, counting));
            } else if (subject instanceof Recorder recorder) {
                recordOnce(recorder, i % 3 == 0);
            } else if (subject instanceof Floor floor) {
                callOnce(() -> floor.once(counting) < 0 ? Guard.REFUSED : counting.call());
            }
        }
    }

    private static Object pending(StagedGuard guard, Callable<Object> body) throws Exception {
        CompletableFuture<Object> later = new CompletableFuture<>();
        CompletableFuture<Object> call = guard.call(() -> later).toCompletableFuture();
        if (!call.isDone()) {
            try {
                later.complete(body.call());
            } catch (Work.Failure failure) {
                later.completeExceptionally(failure);
            }
        }
        try {
            return call.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private void callOnce(Callable<Object> call) {
        try {
            Object answer = call.call();
            if (answer == Work.ANSWER) {
                answered++;
            } else if (answer == Work.INSTEAD) {
                replaced++;
            } else if (answer == Guard.REFUSED) {
                refused++;
            } else {
                throw new IllegalStateException("a call returned " + answer);
            }
        } catch (Work.Failure failure) {
            failed++;
        } catch (Exception e) {
            refused++;
        }
    }

    private void recordOnce(Recorder recorder, boolean fails) throws Exception {
        if (!recorder.record(fails)) {
            refused++;
            return;
        }
        made++;
        if (fails) {
            failed++;
        } else {
            answered++;
        }
    }

    private void check(Contestant contestant) {
        Calls calls = contestant.group().calls();
        boolean asExpected = switch (calls) {
            case SUCCEED -> made >= CALLS && answered == CALLS;
            case THIRD_FAILS -> made == CALLS && answered == 2 * ROUNDS && failed == ROUNDS;
            case RETRIED -> made == CALLS + ROUNDS && answered == CALLS;
            case REPLACED -> made == CALLS && answered == 2 * ROUNDS && replaced == ROUNDS;
            case REMEMBERED -> made == 0 && answered == CALLS;
            case REFUSED -> made == 0 && refused == CALLS;
        };
        if (!asExpected) {
            throw new IllegalStateException(contestant.key() + " does not do its work: of " + CALLS + " calls, " + made
                    + " were made, " + answered + " answered, " + replaced + " answered instead, " + failed
                    + " failed, " + refused + " refused");
        }
    }
}
