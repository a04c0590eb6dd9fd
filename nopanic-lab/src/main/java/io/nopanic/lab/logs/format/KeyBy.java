package io.nopanic.lab.logs.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** By what calls are told apart. What each of these is in a format, {@code docs/lab/logs.md} says. */
public enum KeyBy {
    /** By what the format itself calls the destination: a key, an upstream, a cluster, a group of targets, a peer. */
    KEY,
    /** By the name of the host that the request was for. */
    HOST,
    /** By the address that the call went to. */
    UPSTREAM,
    /** By the first part of the path. */
    PATH1,
    /** Not at all. */
    NONE;

    /**
     * By its name, in any case.
     *
     * @throws IllegalArgumentException if there is none such
     */
    public static KeyBy named(String name) {
        return Arrays.stream(values())
                .filter(by -> by.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("by is '" + name + "', allowed is "
                        + Arrays.stream(values()).map(KeyBy::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
