package io.weir.storage.snapshot;

/** Words for damage: file, offset, expected, found. */
final class Corruption {
    private Corruption() {}

    static CorruptionException at(final String file, final long offset, final String expected, final String found) {
        return new CorruptionException(file + " at offset " + offset + ": expected " + expected + ", found " + found);
    }

    static void check(final String file, final long offset, final String what, final long expected, final long found) {
        if (expected != found) {
            throw at(file, offset, what + " " + expected, "" + found);
        }
    }

    static void checkHex(final String file, final long offset, final String what, final int expected, final int found) {
        if (expected != found) {
            throw at(file, offset, what + " 0x" + Integer.toHexString(expected), "0x" + Integer.toHexString(found));
        }
    }

    static void checkHex(
            final String file, final long offset, final String what, final long expected, final long found) {
        if (expected != found) {
            throw at(file, offset, what + " 0x" + Long.toHexString(expected), "0x" + Long.toHexString(found));
        }
    }
}
