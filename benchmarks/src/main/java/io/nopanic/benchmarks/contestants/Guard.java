package io.nopanic.benchmarks.contestants;

import java.util.concurrent.Callable;

/** A guard around blocking calls. */
@FunctionalInterface
public interface Guard extends Subject {

    /** What a guard returns that refuses without an exception. */
    Object REFUSED = new Object();

    /** Makes a guarded call. */
    Object call(Callable<Object> body) throws Exception;
}
