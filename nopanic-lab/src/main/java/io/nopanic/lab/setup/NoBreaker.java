package io.nopanic.lab.setup;

import java.util.List;

/** No breaker: every call is sent. What all others are measured against. */
public record NoBreaker(String name) implements PolicySpec {

    @Override
    public String describe() {
        return "no breaker: every call is sent";
    }

    @Override
    public List<String> notes() {
        return List.of();
    }
}
