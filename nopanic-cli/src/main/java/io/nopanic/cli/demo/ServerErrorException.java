package io.nopanic.cli.demo;

import java.io.IOException;

/** The server answered, and not well. */
final class ServerErrorException extends IOException {

    private static final long serialVersionUID = 1L;

    ServerErrorException(int status) {
        super("the server answered with status " + status);
    }
}
