/** A cache as a stage of a pipeline. */
module io.nopanic.cache {
    requires static org.jspecify;
    requires transitive io.nopanic.core;
    requires com.github.benmanes.caffeine;

    exports io.nopanic.cache;
}
