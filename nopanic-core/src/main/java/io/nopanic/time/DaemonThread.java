package io.nopanic.time;

/** Threads that serve the whole process. */
final class DaemonThread {

    private DaemonThread() {}

    /** A thread that holds on to nothing of the call that happened to need it first. */
    @SuppressWarnings("ThreadPriorityCheck") // Not to gain priority, but so as not to inherit a low one.
    static Thread make(String name, Runnable body) {
        Thread made = new Thread(null, body, name, 0, false);
        made.setDaemon(true);
        made.setPriority(Thread.NORM_PRIORITY);
        made.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return made;
    }
}
