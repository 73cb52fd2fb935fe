package io.weir.storage.chronicle;

import io.weir.storage.file.OpenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.openhft.chronicle.wire.Wires;

/**
 * Clears away what a process left that was killed while it made a queue: metadata whose first header was never finished. No
 * record was ever there, and Chronicle would wait for the header in vain, or take the file for something else.
 */
final class HalfMadeQueue {
    private HalfMadeQueue() {}

    /** Call it while holding the folder's claim: then nobody is making the queue now. */
    static void clear(final QueueFolder folder) {
        if (folder.holdsQueue() && !holdsCycles(folder) && !isReady(folder)) {
            folder.files().delete(folder.metadata());
        }
    }

    private static boolean holdsCycles(final QueueFolder folder) {
        return folder.files().list(folder.path()).stream().anyMatch(name -> name.endsWith(".cq4"));
    }

    private static boolean isReady(final QueueFolder folder) {
        try (OpenFile file = folder.files().openReadOnly(folder.metadata())) {
            final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            return file.read(0, header) == Integer.BYTES && Wires.isReady(header.getInt(0));
        }
    }
}
