package io.weir.storage.snapshot;

/** Words for damage: file, offset, expected, found. */
public final class Corruption {
    private Corruption() {}

    /**
     * An error.
     *
     * @param file that is damaged.
     * @param offset of the damage in the file.
     * @param expected in words.
     * @param found in words.
     * @return the exception.
     */
    public static CorruptionException at(
            final String file, final long offset, final String expected, final String found) {
        return new CorruptionException(file + " at offset " + offset + ": expected " + expected + ", found " + found);
    }

    /**
     * Compares two numbers.
     *
     * @param file they belong to.
     * @param offset of what was found in the file.
     * @param what they are.
     * @param expected number.
     * @param found number.
     * @throws CorruptionException if they differ.
     */
    public static void check(
            final String file, final long offset, final String what, final long expected, final long found) {
        if (expected != found) {
            throw at(file, offset, what + " " + expected, "" + found);
        }
    }

    /**
     * Compares two numbers of 4 bytes that are told in hexadecimal.
     *
     * @param file they belong to.
     * @param offset of what was found in the file.
     * @param what they are.
     * @param expected number.
     * @param found number.
     * @throws CorruptionException if they differ.
     */
    public static void checkHex(
            final String file, final long offset, final String what, final int expected, final int found) {
        if (expected != found) {
            throw at(file, offset, what + " 0x" + Integer.toHexString(expected), "0x" + Integer.toHexString(found));
        }
    }

    /**
     * Compares two numbers of 8 bytes that are told in hexadecimal.
     *
     * @param file they belong to.
     * @param offset of what was found in the file.
     * @param what they are.
     * @param expected number.
     * @param found number.
     * @throws CorruptionException if they differ.
     */
    public static void checkHex(
            final String file, final long offset, final String what, final long expected, final long found) {
        if (expected != found) {
            throw at(file, offset, what + " 0x" + Long.toHexString(expected), "0x" + Long.toHexString(found));
        }
    }
}
