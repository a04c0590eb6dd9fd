package io.nopanic.ratelimit;

/** Why a rate limiter refuses a call. */
enum Refusal {
    RATE("no permit in time"),
    QUEUE("no permit now, and too many calls wait already"),
    IMPOSSIBLE("so many permits can never be there at once: more than the burst");

    final String detail;

    Refusal(String detail) {
        this.detail = detail;
    }
}
