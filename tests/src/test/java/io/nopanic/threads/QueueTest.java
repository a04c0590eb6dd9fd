package io.nopanic.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueTest {

    private static final class Place extends Queue.Link<Place> {}

    private final Queue<Place> queue = new Queue<>();

    private List<Place> inOrder() {
        List<Place> found = new ArrayList<>();
        for (Place next = queue.first(); next != null; next = queue.behind(next)) {
            found.add(next);
        }
        return found;
    }

    @Test
    void itIsAsAListIs() {
        Random random = new Random(7);
        List<Place> model = new ArrayList<>();
        for (int step = 0; step < 10_000; step++) {
            if (model.isEmpty() || random.nextInt(5) < 2) {
                Place place = new Place();
                queue.add(place);
                model.add(place);
            } else {
                Place leaving = model.remove(random.nextInt(model.size()));
                assertThat(queue.remove(leaving)).isTrue();
            }
            assertThat(inOrder()).isEqualTo(model);
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    @Test
    void whoIsNotHereCannotLeave() {
        Place here = new Place();
        queue.add(here);
        assertThat(queue.remove(new Place())).isFalse();
        assertThat(queue.remove(here)).isTrue();
        assertThat(queue.remove(here)).isFalse();
        assertThat(queue.size()).isZero();
    }

    @Test
    void whoLeftCanComeBackAtTheEnd() {
        Place one = new Place();
        Place other = new Place();
        queue.add(one);
        queue.add(other);
        queue.remove(one);
        queue.add(one);
        assertThat(inOrder()).containsExactly(other, one);
    }
}
