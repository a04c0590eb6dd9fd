package io.nopanic.benchmarks.contestants;

/** Threads for peers that need some of their own. */
final class Threads {

    private Threads() {}

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "of a peer");
        thread.setDaemon(true);
        return thread;
    }
}
