package io.nopanic.lab.logs;

import java.io.IOException;

/** A log that cannot be read at all. The message names it and says why. */
public final class LogException extends IOException {

    private static final long serialVersionUID = 1L;

    LogException(String message) {
        super(message);
    }

    LogException(String message, Throwable cause) {
        super(message, cause);
    }
}
