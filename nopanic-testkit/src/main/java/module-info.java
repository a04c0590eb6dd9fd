/** What tests of guarded code need: virtual time and dependencies that behave by script. */
module io.nopanic.testkit {
    requires static org.jspecify;
    requires transitive io.nopanic.core;

    exports io.nopanic.testkit;
}
