package io.weir.storage.snapshot;

import java.io.IOException;
import java.io.InputStream;

/** Files that an earlier version wrote, byte for byte: what reads or writes them differently breaks old checkpoints. */
final class Golden {
    static final int SEGMENT_1_CHECKSUM = 0xDDF68F1E;

    private Golden() {}

    static byte[] bytes(final String name) throws IOException {
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new AssertionError("no golden file " + name);
            }
            return in.readAllBytes();
        }
    }
}
