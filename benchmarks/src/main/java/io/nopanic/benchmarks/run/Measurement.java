package io.nopanic.benchmarks.run;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.Fork;
import io.nopanic.benchmarks.fork.ForkPlan;
import io.nopanic.benchmarks.fork.Sample;
import io.nopanic.benchmarks.load.Growth;
import io.nopanic.benchmarks.load.Load;
import io.nopanic.benchmarks.load.LoadPlan;
import io.nopanic.benchmarks.load.Retained;
import io.nopanic.benchmarks.load.VirtualCalls;
import io.nopanic.cli.terminal.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures everything that a plan asks for. Contestants take turns: each round starts one short process for each of them, those that are
 * compared next to each other and in an order that is drawn anew, so that what else the machine does hits all alike.
 */
public final class Measurement {

    /** Callers wait for the compiler, else on a busy machine it may come late, and what is measured is not compiled yet. */
    private static final List<String> COMPILED_IN_TURN = List.of("-Xbatch");

    /** A process that measures a contestant takes some seconds; a contestant that hangs takes no more than this. */
    private static final int MAX_FORK_SECONDS = 90;

    private final Plan plan;
    private final Consumer<String> progress;
    private final Jvm jvm;
    private final Optional<Jvm> newerJvm;
    private final Random random = new Random(20);
    private final Results results = new Results();
    private final Results newer = new Results();
    private final Others others = new Others();
    private final List<String> failures = new ArrayList<>();

    /**
     * A measurement that has not begun.
     *
     * @param newerJdk a JDK with virtual threads, if there is one
     * @param progress is told what goes on
     */
    public Measurement(Plan plan, Optional<Path> newerJdk, Consumer<String> progress) throws IOException {
        this.plan = plan;
        this.progress = progress;
        jvm = new Jvm(Jdks.own());
        newerJvm = newerJdk.isPresent() ? Optional.of(new Jvm(newerJdk.get())) : Optional.empty();
    }

    /**
     * Does it all. What is no single call is measured after the calls of each round, as often as the plan wants it.
     */
    public void run() throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(plan.minutes());
        long roundNanos = 0;
        for (int round = 1; round <= plan.rounds(); round++) {
            long beginNanos = System.nanoTime();
            if (round > 1 && beginNanos + roundNanos > deadlineNanos) {
                progress.accept("no time for round " + round);
                break;
            }
            calls(round);
            if (round <= plan.otherRounds()) {
                others(round);
            }
            roundNanos = System.nanoTime() - beginNanos;
        }
    }

    /** What was measured. */
    public Figures figures() {
        return new Figures(results, newer, others);
    }

    /** What could not be measured, and why. */
    public List<String> failures() {
        return failures;
    }

    private void calls(int round) throws IOException, InterruptedException {
        List<Contestant> order = inRandomOrder(plan.contestants());
        int number = 0;
        for (Contestant one : order) {
            progress.accept("round " + round + " of " + plan.rounds() + ", " + ++number + " of " + order.size() + ": "
                    + one.key());
            fork(jvm, one.key(), plan.fork(one.group()), round, results);
        }
    }

    /** Groups in their order, contestants of a group in any. */
    private List<Contestant> inRandomOrder(List<Contestant> contestants) {
        Map<Group, List<Contestant>> groups = new TreeMap<>();
        for (Contestant one : contestants) {
            groups.computeIfAbsent(one.group(), group -> new ArrayList<>()).add(one);
        }
        List<Contestant> order = new ArrayList<>();
        for (List<Contestant> group : groups.values()) {
            Collections.shuffle(group, random);
            order.addAll(group);
        }
        return order;
    }

    private void fork(Jvm with, String key, ForkPlan fork, int round, Results into)
            throws IOException, InterruptedException {
        List<Sample> samples = lines(with, Fork.class, List.of(key, fork.toArgument()), key).stream()
                .flatMap(line -> Sample.parse(line).stream())
                .toList();
        into.add(round, key, samples);
    }

    private void others(int round) throws IOException, InterruptedException {
        if (plan.wantsLoad()) {
            load(jvm, "load", plan.load(), round, others.loads());
        }
        if (plan.wantsAllLoads()) {
            load(jvm, "load with fresh exceptions", plan.freshLoad(), round, others.fresh());
        }
        if (plan.wantsRetained() && round == 1) {
            retained();
        }
        for (String key : plan.growing(round)) {
            growth(round, key);
        }
        if (plan.wantsLab()) {
            lab(round);
        }
        if (newerJvm.isPresent()) {
            onNewerJava(newerJvm.get(), round);
        }
    }

    private void onNewerJava(Jvm newerOne, int round) throws IOException, InterruptedException {
        if (plan.wantsAllLoads()) {
            load(newerOne, "load of virtual threads", plan.virtualLoad(), round, others.virtual());
        }
        for (String key : plan.calledVirtually()) {
            callVirtually(newerOne, round, key);
        }
        for (Contestant one : plan.contestants()) {
            boolean pipeline = one.group() == Group.PIPELINE || one.group() == Group.PIPELINE_LIMITED;
            if (pipeline && one.isOurs()) {
                progress.accept("on the newer Java: " + one.key());
                fork(newerOne, one.key(), plan.fork(), round, newer);
            }
        }
    }

    private void callVirtually(Jvm newerOne, int round, String key) throws IOException, InterruptedException {
        progress.accept("virtual threads: " + key);
        List<Double> runs = lines(newerOne, VirtualCalls.class, List.of(key), "virtual threads: " + key).stream()
                .filter(line -> line.startsWith(VirtualCalls.MARK))
                .map(line -> Double.valueOf(line.substring(VirtualCalls.MARK.length())))
                .sorted()
                .toList();
        if (!runs.isEmpty()) {
            others.virtualCalls().add(round, key, runs.get(runs.size() / 2));
        }
    }

    private void load(Jvm with, String what, LoadPlan load, int round, Rounds<String, Others.Runs> into)
            throws IOException, InterruptedException {
        List<String> keys = new ArrayList<>(plan.loaded());
        Collections.shuffle(keys, random);
        keys.add(0, Load.NO_GUARD);
        for (String key : keys) {
            progress.accept(what + ": " + key);
            List<String> arguments = new ArrayList<>(load.toArguments());
            arguments.add(0, key);
            List<Long> nanos = lines(with, Load.class, arguments, what + ": " + key).stream()
                    .filter(line -> line.startsWith(Load.MARK))
                    .map(line -> Long.valueOf(line.substring(Load.MARK.length())))
                    .toList();
            if (nanos.size() > 1) {
                into.add(round, key, new Others.Runs(nanos));
            }
        }
    }

    private void retained() throws IOException, InterruptedException {
        progress.accept("what a breaker holds");
        for (String line : lines(jvm, Retained.class, List.of(), "retained")) {
            if (line.startsWith(Retained.MARK)) {
                String[] words = line.substring(Retained.MARK.length()).split(" ", 3);
                others.retained().put(words[2], new Others.Bytes(Long.parseLong(words[0]), Long.parseLong(words[1])));
            }
        }
    }

    private void growth(int round, String key) throws IOException, InterruptedException {
        progress.accept("up to " + Text.count(plan.mostGrowth()) + " calls in the window: " + key);
        Map<Long, Double> sizes = new TreeMap<>();
        for (String line : lines(jvm, Growth.class, List.of(key, "" + plan.mostGrowth()), "growth: " + key)) {
            if (line.startsWith(Growth.MARK)) {
                String[] words = line.substring(Growth.MARK.length()).split(" ", 2);
                sizes.put(Long.valueOf(words[0]), Double.valueOf(words[1]));
            }
        }
        if (!sizes.isEmpty()) {
            others.growth().add(round, key, sizes);
        }
    }

    private void lab(int round) throws IOException, InterruptedException {
        progress.accept("the lab");
        try {
            new Lab(jvm).run(plan.labLines(), (command, seconds) -> others.lab().add(round, command, seconds));
        } catch (Jvm.FailedException e) {
            failures.add("the lab: " + e.getMessage());
        }
    }

    private List<String> lines(Jvm with, Class<?> main, List<String> arguments, String what)
            throws IOException, InterruptedException {
        try {
            return main == Fork.class
                    ? with.run(COMPILED_IN_TURN, main, arguments, MAX_FORK_SECONDS)
                    : with.run(List.of(), main, arguments, Jvm.MAX_SECONDS);
        } catch (Jvm.FailedException e) {
            failures.add(what + ": " + e.getMessage());
            return List.of();
        }
    }
}
