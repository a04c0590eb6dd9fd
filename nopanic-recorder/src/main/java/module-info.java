/** A record of the calls that went through pipelines. */
module io.nopanic.recorder {
    requires static org.jspecify;
    requires transitive io.nopanic.core;

    exports io.nopanic.recorder;
}
