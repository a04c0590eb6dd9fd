package io.nopanic.benchmarks.contestants;

import java.util.concurrent.Callable;

/** Something that guards are made of, by itself. */
@FunctionalInterface
public interface Floor extends Subject {

    /** Does it once. What it returns depends on having done it. */
    long once(Callable<Object> body) throws Exception;
}
