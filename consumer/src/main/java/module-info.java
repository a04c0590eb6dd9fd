/** A user of nopanic. */
module io.example.consumer {
    requires io.nopanic.cache;
    requires io.nopanic.core;
    requires io.nopanic.recorder;
    requires io.nopanic.testkit;
}
