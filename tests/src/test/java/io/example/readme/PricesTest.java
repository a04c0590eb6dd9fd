package io.example.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class PricesTest {

    @Test
    void asksTheService() throws Exception {
        assertThat(new Prices(article -> new BigDecimal(article.length())).priceOf("A-1"))
                .isEqualByComparingTo("3");
    }

    @Test
    void hasNoPolicyInAPlaceKnownToBeWrong() {
        assertThat(new Prices(article -> BigDecimal.ONE).describe())
                .contains("circuit breaker 'price service'")
                .doesNotContain("warning");
    }
}
