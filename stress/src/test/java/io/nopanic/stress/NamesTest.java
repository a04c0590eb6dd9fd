package io.nopanic.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {

    private static final List<String> ALL = List.of("breaker", "bulkhead", "budget");

    @Test
    void withoutANameAllAreMeant() {
        assertThat(choose()).isEqualTo(ALL);
    }

    @Test
    void theChosenComeInTheirOwnOrder() {
        assertThat(choose("budget", "breaker")).containsExactly("breaker", "budget");
    }

    @Test
    void aNameOfNothingIsNotPassedOverBecauseAnotherIsKnown() {
        assertThatThrownBy(() -> choose("breaker", "braker"))
                .isInstanceOf(Names.Unknown.class)
                .hasMessage("nothing is called braker");
    }

    private static List<String> choose(String... names) {
        return Names.choose(List.of(names), ALL, String::equals);
    }
}
