package io.nopanic.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class IncidentsTest {

    private static final long HOUR = 3_600_000_000_000L;

    private final Incidents incidents =
            Incidents.of(List.of(List.of(new Span(50, 60), new Span(10, 20)), List.of(), List.of(new Span(15, 30))), 0);

    @Test
    void incidentsOfAKeyAreInOrderAndNumberedKeyByKey() {
        assertThat(incidents.count()).isEqualTo(3);
        assertThat(incidents.span(0)).isEqualTo(new Span(10, 20));
        assertThat(incidents.span(2)).isEqualTo(new Span(15, 30));
        assertThat(incidents.key(2)).isEqualTo(2);
    }

    @Test
    void overlappingOnesAreOne() {
        Incidents merged = Incidents.of(
                List.of(List.of(new Span(10, 20), new Span(12, 15), new Span(20, 25), new Span(26, 30))), 0);
        assertThat(merged.count()).isEqualTo(2);
        assertThat(merged.span(0)).isEqualTo(new Span(10, 25));
        assertThat(Incidents.of(List.of(List.of(new Span(10, 20), new Span(24, 30))), 5)
                        .count())
                .isEqualTo(1);
        assertThat(Incidents.of(List.of(List.of(new Span(10, 20), new Span(25, 30))), 5)
                        .count())
                .isEqualTo(2);
    }

    @Test
    void theNearestIsFoundWithinItsTolerance() {
        assertThat(incidents.near(0, 7, 3)).isZero();
        assertThat(incidents.near(0, 6, 3)).isEqualTo(Incidents.NONE);
        assertThat(incidents.near(0, 23, 3)).isZero();
        assertThat(incidents.near(0, 24, 3)).isEqualTo(Incidents.NONE);
        assertThat(incidents.near(0, 55, 3)).isEqualTo(1);
        assertThat(incidents.near(1, 15, 3)).isEqualTo(Incidents.NONE);
    }

    @Test
    void anIncidentThatGoesOnIsNearerThanOneThatIsAboutToBegin() {
        Incidents two = Incidents.of(List.of(List.of(new Span(10, 20), new Span(22, 30))), 0);
        assertThat(two.near(0, 19, 3)).isZero();
        assertThat(two.near(0, 21, 3)).isZero();
        assertThat(two.near(0, 22, 3)).isEqualTo(1);
    }

    @Test
    void aSpanDoesNotEndBeforeItBegins() {
        assertThatThrownBy(() -> new Span(2, 1)).hasMessageContaining("endNanos is 1");
    }

    @Test
    void timeIsCutAtIncidentsAndHours() {
        Blocks blocks = new Blocks(new Span(0, 3 * HOUR), List.of(new Span(HOUR + 5, HOUR + 10)));
        assertThat(blocks.count()).isEqualTo(5);
        assertThat(blocks.startNanos(2)).isEqualTo(HOUR + 5);
        assertThat(blocks.isIncident(2)).isTrue();
        assertThat(blocks.startNanos(3)).isEqualTo(HOUR + 10 + Blocks.AFTERMATH_NANOS);
        assertThat(blocks.isIncident(3)).isFalse();
    }

    @Test
    void aReaderKnowsWhereItIs() {
        Blocks blocks = new Blocks(new Span(0, 100), incidents.union());
        Course course = new Course(incidents, blocks, 3);
        course.moveTo(0, 5);
        assertThat(course.incident(0)).isEqualTo(Incidents.NONE);
        assertThat(course.block()).isZero();
        course.moveTo(0, 10);
        assertThat(course.incident(0)).isZero();
        course.moveTo(2, 19);
        assertThat(course.incident(2)).isEqualTo(2);
        course.moveTo(0, 20);
        assertThat(course.incident(0)).isEqualTo(Incidents.NONE);
        course.moveTo(0, 99);
        assertThat(course.incident(0)).isEqualTo(Incidents.NONE);
        course.moveTo(2, 99);
        assertThat(course.incident(2)).isEqualTo(Incidents.NONE);
    }
}
