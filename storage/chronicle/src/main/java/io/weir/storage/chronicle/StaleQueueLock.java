package io.weir.storage.chronicle;

import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;

/**
 * Takes back Chronicle's own write lock if a killed process left it. Chronicle does so when that process id is free again,
 * but in a container the next process often has the same id, and would wait for itself.
 */
final class StaleQueueLock {
    private static final String KEY = "chronicle.write.lock";
    private static final long UNLOCKED = Long.MIN_VALUE;

    private StaleQueueLock() {}

    /** Call it while holding the folder's claim: then no thread of this process can be the holder. */
    static void release(final QueueFolder folder) {
        if (!folder.holdsQueue()) {
            return;
        }
        SingleChronicleQueueBuilder.addAliases();
        try (TableStore<Metadata.NoMeta> store = SingleTableBuilder.binary(folder.metadata(), Metadata.NoMeta.INSTANCE)
                .build()) {
            try (LongValue lock = store.acquireValueFor(KEY)) {
                final long holder = lock.getVolatileValue();
                final int processId = (int) holder;
                if (holder != UNLOCKED && !isOtherAndAlive(processId)) {
                    lock.compareAndSwapValue(holder, UNLOCKED);
                }
            }
        } catch (final Exception ex) {
            throw QueueOptions.unreadable(folder.path(), ex);
        }
    }

    private static boolean isOtherAndAlive(final int processId) {
        return processId != ProcessHandle.current().pid()
                && ProcessHandle.of(processId).isPresent();
    }
}
