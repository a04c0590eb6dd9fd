package io.nopanic.lab.logs;

import io.nopanic.lab.call.CallLog;

/**
 * What came of reading logs.
 *
 * @param log the calls, in order of their start
 * @param report what was read and what was not
 */
public record ReadCalls(CallLog log, ReadReport report) implements AutoCloseable {

    @Override
    public void close() {
        log.close();
    }
}
