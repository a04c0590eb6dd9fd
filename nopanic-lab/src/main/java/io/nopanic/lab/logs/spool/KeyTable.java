package io.nopanic.lab.logs.spool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Gives each key a number, in the order in which keys first come up. Finds a known key in a line without making a string of it. Not thread-safe. */
public final class KeyTable {

    /** How many keys there may be if nobody says otherwise. */
    public static final int DEFAULT_MAX_KEYS = 100_000;

    private static final int FIRST_SLOTS = 64;

    private final int maxKeys;
    private final List<byte[]> keys = new ArrayList<>();

    /** Open addressing: the number of a key plus 1, at or behind the place of its hash; 0 is free. */
    private int[] slots = new int[FIRST_SLOTS];

    private int last = -1;

    /** A table for up to so many keys, at least 1. */
    public KeyTable(int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys is " + maxKeys + ", allowed is a whole number of at least 1");
        }
        this.maxKeys = maxKeys;
    }

    /** The number of a key. */
    public int numberOf(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return numberOf(bytes, 0, bytes.length);
    }

    /**
     * The number of a key that stands in {@code bytes} from {@code from} to before {@code to}.
     *
     * @throws TooManyKeysException if it is new and there are as many as allowed already
     */
    public int numberOf(byte[] bytes, int from, int to) {
        if (last >= 0 && isKey(last, bytes, from, to)) {
            return last;
        }
        int mask = slots.length - 1;
        int slot = hash(bytes, from, to) & mask;
        while (slots[slot] != 0) {
            if (isKey(slots[slot] - 1, bytes, from, to)) {
                last = slots[slot] - 1;
                return last;
            }
            slot = (slot + 1) & mask;
        }
        return add(Arrays.copyOfRange(bytes, from, to), slot);
    }

    /** All keys, each at the place of its number; bytes that are no UTF-8 are replaced. */
    public List<String> keys() {
        return keys.stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList();
    }

    private int add(byte[] key, int slot) {
        if (keys.size() >= maxKeys) {
            throw new TooManyKeysException(maxKeys, new String(key, StandardCharsets.UTF_8));
        }
        keys.add(key);
        last = keys.size() - 1;
        slots[slot] = keys.size();
        if (keys.size() * 2 > slots.length) {
            grow();
        }
        return last;
    }

    private void grow() {
        int[] larger = new int[slots.length * 2];
        int mask = larger.length - 1;
        for (int number = 0; number < keys.size(); number++) {
            byte[] key = keys.get(number);
            int slot = hash(key, 0, key.length) & mask;
            while (larger[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            larger[slot] = number + 1;
        }
        slots = larger;
    }

    private boolean isKey(int number, byte[] bytes, int from, int to) {
        byte[] key = keys.get(number);
        return Arrays.equals(key, 0, key.length, bytes, from, to);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash ^ (hash >>> 16);
    }
}
