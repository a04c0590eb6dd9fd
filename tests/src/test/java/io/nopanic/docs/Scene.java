package io.nopanic.docs;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;

/**
 * What the code in the documentation may use without declaring it: each block that is not a whole source file is compiled inside a
 * subclass of this. Add what pages need to speak of, such as a client of a remote service; nothing here is ever run.
 */
public abstract class Scene {

    /** A client of a remote service. */
    protected static final Client client = null;

    /** The name of a remote host. */
    protected static final String host = "";

    /** What pages call. */
    public interface Client {

        String fetch(String id) throws IOException;

        CompletableFuture<String> fetchAsync(String id);

        BigDecimal priceOf(String article) throws IOException;

        CompletableFuture<BigDecimal> priceOfAsync(String article);
    }

    /** What some clients return. */
    public interface Response {

        int status();

        String header(String name);
    }

    /** What some clients throw. */
    public static final class HttpStatusException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int status;

        public HttpStatusException(int status) {
            super("status " + status);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }
}
