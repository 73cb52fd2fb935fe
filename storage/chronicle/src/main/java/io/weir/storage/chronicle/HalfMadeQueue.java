package io.weir.storage.chronicle;

import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.wire.Wires;

/**
 * Clears away what a process left that was killed while it made a queue or a file of it: metadata or a cycle's file whose first
 * header was never finished. No record was ever there, and Chronicle would wait for the header in vain, or take the file for
 * something else.
 */
final class HalfMadeQueue {
    /** A cycle's file has its first index before this; its header is shorter than the second number. */
    private static final int CHECKED_LENGTH = 1 << 17;

    private static final int HEADER_LENGTH = 1 << 12;

    private HalfMadeQueue() {}

    /** Call it while holding the folder's claim: then nobody is making the queue now. */
    static void clear(final QueueFolder folder) {
        final List<Path> cycles = folder.cycles();
        for (final Path cycle : cycles) {
            if (!isReady(folder, cycle)) {
                requireBlank(folder, cycle);
                folder.files().delete(cycle);
            }
        }
        if (folder.holdsQueue() && cycles.isEmpty() && !isReady(folder, folder.metadata())) {
            folder.files().delete(folder.metadata());
        }
    }

    /** Whether a file of the queue waits to be cleared away: it can't be read. */
    static boolean hasBegunFile(final QueueFolder folder) {
        return folder.cycles().stream().anyMatch(cycle -> !isReady(folder, cycle));
    }

    /** With records there, a header that is no header was damaged: Chronicle would make another one, of another roll cycle. */
    static void refuseLostHeader(final QueueFolder folder) {
        if (folder.holdsQueue() && !folder.cycles().isEmpty()) {
            final int header = header(folder, folder.metadata());
            if (!Wires.isReady(header) || Wires.lengthOf(header) > HEADER_LENGTH) {
                throw new LogException(
                        folder.metadata() + " is damaged: it does not begin with its header; put it back");
            }
        }
    }

    private static boolean isReady(final QueueFolder folder, final Path path) {
        return Wires.isReady(header(folder, path));
    }

    /** The first word, 0 where there is none. */
    private static int header(final QueueFolder folder, final Path path) {
        try (OpenFile file = folder.files().openReadOnly(path)) {
            final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            return file.read(0, header) == Integer.BYTES ? header.getInt(0) : 0;
        }
    }

    /** A header that was lost from a file with records is damage: that file is kept. */
    private static void requireBlank(final QueueFolder folder, final Path path) {
        try (OpenFile file = folder.files().openReadOnly(path)) {
            final ByteBuffer bytes = ByteBuffer.allocate(CHECKED_LENGTH);
            final int length = file.read(HEADER_LENGTH, bytes);
            for (int i = 0; i < length; i++) {
                if (bytes.get(i) != 0) {
                    throw new LogException(path + " is damaged at offset 0: expected a header, but records follow"
                            + " where none was finished, found at offset " + (HEADER_LENGTH + i));
                }
            }
        }
    }
}
