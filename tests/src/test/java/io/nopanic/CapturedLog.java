package io.nopanic;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under a class's name while this is open; it goes nowhere else meanwhile. */
public final class CapturedLog implements AutoCloseable {

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord each) {
            records.add(each);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public CapturedLog(Class<?> where) {
        logger = Logger.getLogger(where.getName());
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    public List<LogRecord> records() {
        return records;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }
}
