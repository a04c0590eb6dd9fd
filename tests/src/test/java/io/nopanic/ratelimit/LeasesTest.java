package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeasesTest {

    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1", "16, 1", "16, 7", "16, 100", "16, 1000000", "2000, 100", "2147483647, 1073741823"})
    void areNeverMoreThanMayBeLeasedNorLargerThanAskedFor(int lease, int most) {
        Leases leases = Leases.suitable(lease, most);
        assertThat(leases.capacity()).isBetween(0, most);
        assertThat(leases.perStripe()).isBetween(most > 0 ? 1 : 0, lease - 1);
    }

    @Test
    void nothingIsTakenFromClosedStripes() {
        Leases leases = new Leases(4, 3);
        assertThat(leases.tryTake(1)).isFalse();
        assertThat(leases.trySteal()).isFalse();
        assertThat(leases.mark()).isEqualTo(Leases.NO_MARK);
        assertThat(leases.held()).isZero();
    }

    @Test
    void oneThreadGetsAllThatIsLeasedByOthers() {
        Leases leases = new Leases(4, 3);
        leases.open(11);
        int taken = 0;
        while (leases.tryTake(1) || leases.trySteal()) {
            taken++;
            assertThat(leases.held()).isEqualTo(11 - taken);
        }
        assertThat(taken).isEqualTo(11);
        assertThat(leases.close()).isZero();
    }

    @Test
    void takesSeveralOfOneStripeOrNone() {
        Leases leases = new Leases(2, 3);
        leases.open(6);
        assertThat(leases.tryTake(4)).isFalse();
        assertThat(leases.tryTake(2)).isTrue();
        assertThat(leases.tryTake(2)).isFalse();
        assertThat(leases.tryTake(1)).isTrue();
        assertThat(leases.held()).isEqualTo(3);
    }

    @Test
    void onlyOneLeaseIsOnItsWayToAStripe() {
        Leases leases = new Leases(2, 3);
        leases.open(0);
        long mark = leases.mark();
        assertThat(mark).isNotEqualTo(Leases.NO_MARK);
        assertThat(leases.mark()).isEqualTo(Leases.NO_MARK);
        assertThat(leases.tryTake(1)).isFalse();
        leases.fill(mark, 3);
        assertThat(leases.mark()).as("not empty").isEqualTo(Leases.NO_MARK);
        assertThat(leases.held()).isEqualTo(3);
        assertThat(leases.close()).isEqualTo(3);
    }

    @Test
    void aLeaseThatArrivesAfterAClosingIsDropped() {
        Leases leases = new Leases(1, 3);
        leases.open(0);
        long early = leases.mark();
        assertThat(leases.close()).isZero();
        leases.fill(early, 3);
        assertThat(leases.held()).as("while closed").isZero();
        leases.open(0);
        leases.fill(early, 3);
        assertThat(leases.held()).as("when open again").isZero();
        long late = leases.mark();
        leases.fill(early, 3);
        assertThat(leases.held()).as("while another is on its way").isZero();
        leases.fill(late, 2);
        assertThat(leases.held()).isEqualTo(2);
    }
}
