package io.nopanic.stress.model;

import io.nopanic.budget.Budget;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A budget that is a share of the calls, beside a log of all calls, questions and grants. Grants are exact. Calls are within the bound that is
 * stated: those between two questions are taken as evenly spread, so those of the one gap that lies across the beginning of the window may count or
 * not; and a question takes note of calls only once they are worth a grant.
 */
final class BudgetSubject implements Subject {

    /** What calls that are not worth a grant, on either side of a gap, can be worth together; and a rounding. */
    private static final double UNNOTICED = 2.001;

    @Override
    public String name() {
        return "budget";
    }

    @Override
    public List<String> expected() {
        return List.of("budget: granted", "budget: refused", "budget: given back", "budget: given back too late");
    }

    private enum Do {
        CALL,
        ASK,
        GIVE_BACK,
        LOOK
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new BudgetSetup(
                random.nextInt(1, 40) / 20.0, random.nextInt(0, 5), random.nextLong(1_000_000, 20_000_000) / 10 * 10);
    }

    private record BudgetSetup(double ratio, int perSecond, long windowNanos) implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            Do what = random.nextInt(10) < 5
                    ? Do.CALL
                    : random.nextInt(10) < 7 ? Do.ASK : random.nextBoolean() ? Do.GIVE_BACK : Do.LOOK;
            long afterNanos = random.nextInt(2) == 0 ? random.nextLong(windowNanos) >> random.nextInt(10) : 0;
            return new Step(afterNanos, what, random.nextInt(30), random.nextInt(1, 20));
        }

        @Override
        public Run begin(Tally tally) {
            return new BudgetRun(this, tally);
        }
    }

    private static final class BudgetRun implements Run {

        private final BudgetSetup setup;
        private final Tally tally;
        private final VirtualTime time = VirtualTime.create();
        private final Budget budget;
        private final long beginNanos = time.nanos();
        private final List<Long> calls = new ArrayList<>();
        private final List<Long> questions = new ArrayList<>(List.of(beginNanos));
        private final List<Long> grants = new ArrayList<>();

        BudgetRun(BudgetSetup setup, Tally tally) {
            this.setup = setup;
            this.tally = tally;
            budget = Budget.builder()
                    .ratio(setup.ratio)
                    .minPerSecond(setup.perSecond * 100.0)
                    .window(Duration.ofNanos(setup.windowNanos))
                    .time(time.time())
                    .build();
        }

        @Override
        public void step(Step step) {
            time.advance(Duration.ofNanos(step.afterNanos()));
            long nowNanos = time.nanos();
            switch ((Do) step.what()) {
                case CALL -> {
                    for (int i = 0; i < step.detail(); i++) {
                        budget.onCall();
                        calls.add(nowNanos);
                    }
                }
                case ASK -> ask(nowNanos);
                case GIVE_BACK -> giveBack(step.which(), nowNanos);
                default -> look(nowNanos);
            }
        }

        private void ask(long nowNanos) {
            long spent = spent(nowNanos);
            boolean granted = budget.trySpend(nowNanos);
            String told = spent + " granted, " + mostGrants(nowNanos) + " at the most and " + leastGrants(nowNanos)
                    + " at the least to be granted";
            Divergence.unless(!granted || spent + 1 <= mostGrants(nowNanos), "granted too much: " + told);
            Divergence.unless(granted || spent + 1 > leastGrants(nowNanos), "granted too little: " + told);
            if (granted) {
                grants.add(nowNanos);
            }
            tally.count(granted ? "budget: granted" : "budget: refused");
            questions.add(nowNanos);
        }

        private void look(long nowNanos) {
            long spent = spent(nowNanos);
            long available = budget.available();
            boolean possible = spent + available <= Math.max((double) spent, mostGrants(nowNanos))
                    && spent + available + 1 > leastGrants(nowNanos);
            Divergence.unless(possible, "available are " + available);
            questions.add(nowNanos);
        }

        private void giveBack(int which, long nowNanos) {
            if (!grants.isEmpty()) {
                long spentNanos = grants.remove(which % grants.size());
                budget.giveBack(spentNanos);
                // The ledger learns the time from questions only: what it has not left behind yet comes back.
                tally.count(
                        tenth(nowNanos) - tenth(spentNanos) > 10
                                ? "budget: given back too late"
                                : "budget: given back");
            }
        }

        // ---------------- what is to be expected

        private long tenth(long nanos) {
            return (nanos - beginNanos) / (setup.windowNanos / 10);
        }

        private boolean inWindow(long nanos, long nowNanos) {
            return tenth(nowNanos) - tenth(nanos) <= 10;
        }

        private long spent(long nowNanos) {
            return grants.stream().filter(grant -> inWindow(grant, nowNanos)).count();
        }

        private double mostGrants(long nowNanos) {
            return grantsFor(certain(nowNanos) + doubtful(nowNanos)) + UNNOTICED;
        }

        private double leastGrants(long nowNanos) {
            return grantsFor(certain(nowNanos)) - UNNOTICED;
        }

        private double grantsFor(long counted) {
            return setup.ratio * counted + setup.perSecond * 100.0 * setup.windowNanos / 1e9;
        }

        /** The last question before the window begins; the calls before it are out, whatever else. */
        private long lastQuestionBeforeNanos(long nowNanos) {
            long last = beginNanos;
            for (long question : questions) {
                if (!inWindow(question, nowNanos)) {
                    last = question;
                }
            }
            return last;
        }

        private long firstQuestionInNanos(long nowNanos) {
            return questions.stream()
                    .filter(question -> inWindow(question, nowNanos))
                    .findFirst()
                    .orElse(nowNanos);
        }

        private long certain(long nowNanos) {
            if (inWindow(beginNanos, nowNanos)) {
                return calls.size();
            }
            long fromNanos = firstQuestionInNanos(nowNanos);
            return calls.stream().filter(call -> call - fromNanos > 0).count();
        }

        private long doubtful(long nowNanos) {
            if (inWindow(beginNanos, nowNanos)) {
                return 0;
            }
            long fromNanos = lastQuestionBeforeNanos(nowNanos);
            return calls.stream().filter(call -> call - fromNanos >= 0).count() - certain(nowNanos);
        }
    }
}
