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
        assertThat(leases.close()).isZero();
    }

    @Test
    void oneThreadGetsAllThatIsLeasedByOthers() {
        Leases leases = new Leases(4, 3);
        leases.open(11);
        int taken = 0;
        while (leases.tryTake(1) || leases.trySteal()) {
            taken++;
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
        assertThat(leases.close()).isEqualTo(3);
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
        assertThat(leases.close()).isEqualTo(3);
    }

    @Test
    void aLeaseThatArrivesAfterAClosingIsDropped() {
        Leases leases = new Leases(1, 3);
        leases.open(0);
        long early = leases.mark();
        assertThat(leases.close()).isZero();
        leases.fill(early, 3);
        assertThat(leases.close()).as("while closed").isZero();
        leases.open(0);
        leases.fill(early, 3);
        assertThat(leases.tryTake(1)).as("when open again").isFalse();
        long late = leases.mark();
        leases.fill(early, 3);
        assertThat(leases.tryTake(1)).as("while another is on its way").isFalse();
        leases.fill(late, 2);
        assertThat(leases.close()).isEqualTo(2);
    }

    // ---------------- whether nothing is there

    @Test
    void areEmptyOnlyIfAllAreOpenAndNoneHasPermits() {
        Leases leases = new Leases(2, 3);
        assertThat(leases.versions()).isEqualTo(Leases.NOT_OPEN);
        leases.open(1);
        assertThat(leases.versions()).isEqualTo(Leases.NOT_EMPTY);
        assertThat(leases.trySteal()).isTrue();
        long empty = leases.versions();
        assertThat((int) empty).isZero();
        assertThat(leases.versions()).isEqualTo(empty);
        leases.close();
        assertThat(leases.versions()).isEqualTo(Leases.NOT_OPEN);
    }

    @Test
    void doNotLookEmptyAllAlongIfALeaseCameInAndWasUsedUp() {
        Leases leases = new Leases(2, 3);
        leases.open(0);
        long before = leases.versions();
        long mark = leases.mark();
        assertThat(leases.versions()).as("while the lease is on its way").isEqualTo(before);
        leases.fill(mark, 1);
        assertThat(leases.versions()).isEqualTo(Leases.NOT_EMPTY);
        assertThat(leases.tryTake(1)).isTrue();
        assertThat((int) leases.versions()).isZero();
        assertThat(leases.versions()).isNotEqualTo(before);
    }

    @Test
    void doNotLookEmptyAllAlongIfTheyWereClosedMeanwhile() {
        Leases leases = new Leases(2, 3);
        leases.open(0);
        long before = leases.versions();
        leases.close();
        leases.open(0);
        assertThat((int) leases.versions()).isZero();
        assertThat(leases.versions()).isNotEqualTo(before);
    }
}
