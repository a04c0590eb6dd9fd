package io.nopanic.stress.interleavings;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.ResourceEstimator;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs tests one after the other in this JVM: a fraction of a second for each, in place of many JVMs with every combination of compilers. What
 * jcstress generates for a test is the same; here it is only called directly.
 */
final class Quick {

    private static final int MILLIS = 300;
    private static final int ITERATIONS = 3;
    private static final int MAX_FOOTPRINT_MB = 64;
    private static final int STRIDE_SIZE = 256;
    private static final int STRIDES = 8;

    private Quick() {}

    /** Runs the tests of these names; the exit code says whether all passed. */
    public static void main(String[] tests) throws Exception {
        Report report = new Report(System.out);
        for (String test : tests) {
            TestResult result = run(test);
            report.print(test, List.of(result));
            if (result.status() == Status.TIMEOUT_ERROR) {
                break; // its threads are still there and would disturb the others
            }
        }
        System.exit(report.summary(tests.length).exitCode());
    }

    private static TestResult run(String test) throws Exception {
        String runner = TestList.getInfo(test).generatedRunner();
        return Class.forName(runner)
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new Config(runner))
                .run();
    }

    /** As jcstress sends it to the JVMs that it starts. */
    @SuppressWarnings("EnumOrdinal") // that is how it is sent
    private static DataInputStream sent(String runner) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(SpinLoopStyle.THREAD_YIELD.ordinal());
            out.writeInt(MILLIS);
            out.writeInt(ITERATIONS);
            out.writeUTF(runner);
            out.writeInt(MAX_FOOTPRINT_MB);
            out.writeInt(STRIDE_SIZE);
            out.writeInt(STRIDES);
            out.writeBoolean(false);
        }
        return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    }

    /** Does not try out how many states fit into memory; it takes longer than the test, and on a busy machine finds one or two. */
    private static final class Config extends ForkedTestConfig {

        Config(String runner) throws IOException {
            super(sent(runner));
        }

        @Override
        public void adjustStrideCount(ResourceEstimator estimator) {}
    }
}
