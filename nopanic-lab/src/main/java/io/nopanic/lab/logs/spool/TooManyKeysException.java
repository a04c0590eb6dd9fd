package io.nopanic.lab.logs.spool;

/** A log has more keys than allowed; mostly because calls are told apart by something that is different in each of them. */
public final class TooManyKeysException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooManyKeysException(int maxKeys, String key) {
        super("key '" + key + "' would be one more than the " + maxKeys
                + " allowed; tell calls apart by something that has fewer values, or allow more");
    }
}
