package io.weir.storage.state;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Rewrites values that an older version of a state's value codec wrote. The thread that opens the state. */
public interface ValueMigration {
    /**
     * Whether it can rewrite the values of a version.
     *
     * @param fromVersion lower than that of the state's codec.
     * @param layout of that version as the checkpoint has it, see {@link CodecText#layout()}.
     * @return true if so.
     */
    boolean reads(int fromVersion, String layout);

    /**
     * Rewrites one value. If it throws, the state and its store are of no use any more.
     *
     * @param fromVersion of the codec that wrote it.
     * @param key view of exactly the key's bytes, for errors.
     * @param value view of exactly the value's bytes, with all that the table adds to values.
     * @param target takes the value that the state's codec reads, with all that the table adds; at offset 0, grows as needed.
     * @return the length of the new value in bytes.
     */
    int migrate(int fromVersion, DirectBuffer key, DirectBuffer value, MutableDirectBuffer target);
}
