package io.nopanic.cli.lab;

import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The policies that a command is about, and what failures cost. */
final class PolicyArguments {

    static final String HELP =
            "Presets: none (every call is sent), auto (the adaptive breaker), and the defaults of nopanic, nopanic-py,"
                    + " hystrix, r4j, polly, failsafe and gobreaker. Forms: count:WINDOW,PERCENT,MINIMUM,OPEN as in count:100,50,100,60s;"
                    + " time:30s,50,10,15s; consecutive:FAILURES,OPEN; auto:COST; each with options after semicolons, as in"
                    + " 'time:30s,50,10,15s;probes=3;growth=2/30s;jitter=0.2;slow-after=1s'. Or a file of properties, named as the methods of"
                    + " the builder: failureRate=0.5.";

    /** A comma that divides two policies stands before a letter or a path; one within a form stands before a number, or a duration such as PT1M. */
    private static final Pattern BETWEEN_POLICIES = Pattern.compile(",(?=\\s*[A-Za-z./])(?!\\s*[Pp][Tt]?\\d)");

    private static final double DEFAULT_COST = 1;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description =
                    "A policy to try; several are divided by commas, or the option is repeated. See below. Default:"
                            + " none,auto,nopanic,r4j,hystrix,polly.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--cost",
            paramLabel = "C",
            description =
                    "What a failure costs: one that is sent is as bad as so many calls refused for nothing. 0.01 to 1000, default 1.")
    private double cost = DEFAULT_COST;

    /** The policies, or these if none are named. */
    List<PolicySpec> policies(String byDefault) throws IOException {
        List<PolicySpec> specs = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (String each : policies.isEmpty() ? List.of(byDefault) : policies) {
            for (String text : BETWEEN_POLICIES.split(each, -1)) {
                PolicySpec spec = PolicyParser.parse(text);
                if (!names.add(spec.name())) {
                    throw new IllegalArgumentException("policy '" + spec.name() + "' is given twice");
                }
                specs.add(spec);
            }
        }
        return specs;
    }

    double cost() {
        if (!(cost >= 0.01 && cost <= 1000)) {
            throw new IllegalArgumentException("--cost is " + cost + ", allowed is a number from 0.01 to 1000");
        }
        return cost;
    }
}
