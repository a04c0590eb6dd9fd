package io.nopanic.spi;

import io.nopanic.time.Time;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of all policies have in common. Every setting is checked by {@link #build()} at the latest, before anything is
 * made. Not thread-safe.
 *
 * @param <B> the builder itself
 * @param <P> what it builds
 */
public abstract class PolicyBuilder<B extends PolicyBuilder<B, P>, P> {

    private static final AtomicLong GENERATED_NAMES = new AtomicLong();

    private final String kind;
    private @Nullable String name;
    private @Nullable Time time;

    /**
     * @param kind the kind of policy in words, as in {@code circuit breaker}
     */
    protected PolicyBuilder(String kind) {
        this.kind = kind;
    }

    /** This builder, as what it is. */
    protected abstract B self();

    /** Checks the settings and makes the policy. */
    public abstract P build();

    /** The name used in events, exceptions and descriptions. Default: the kind and a running number. */
    public B name(String value) {
        name = Require.name(value);
        return self();
    }

    /** The time to run on. Default: {@link Time#system()}. */
    public B time(Time value) {
        time = Objects.requireNonNull(value, "time");
        return self();
    }

    final String kind() {
        return kind;
    }

    final String nameOrGenerated() {
        return name != null ? name : kind.replace(' ', '-') + "-" + GENERATED_NAMES.incrementAndGet();
    }

    final @Nullable Time timeOrNull() {
        return time;
    }
}
