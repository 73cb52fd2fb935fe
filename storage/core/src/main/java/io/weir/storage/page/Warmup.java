package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Brings a restored checkpoint into memory behind the task's back, so that its files can be let go: they may have been deleted
 * by then, and keep their space on disk as long as they are mapped. A thread of its own reads and verifies one key group after
 * the other, some ahead; the task thread takes them over between records, a few pages at a time.
 */
final class Warmup implements Runnable {
    private static final int AHEAD = 4;
    private static final int PAGES_A_STEP = 8;

    private final RestoredChains chains;
    private final List<RestoredTable> tables;
    private final ArrayBlockingQueue<Prepared> prepared = new ArrayBlockingQueue<>(AHEAD);
    private final Thread thread;
    private volatile boolean stopped;
    private boolean isInline;
    private int inlineTable;
    private int inlineGroup;
    private PageGroup warming;
    private int nextPage;
    private boolean done;

    /** A table of the restored checkpoint. Task thread. */
    interface RestoredTable {
        TablePages pages();

        /** The pages of a group, opened with what was read of it unless the group is open already. */
        PageGroup open(int index, GroupImage image);
    }

    /** What was read of a group, or why it could not be; at the end a table without a group. */
    private record Prepared(RestoredTable table, int index, GroupImage image, RuntimeException failure) {}

    Warmup(final RestoredChains chains, final List<RestoredTable> tables, final String name) {
        this.chains = chains;
        this.tables = List.copyOf(tables);
        thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start() {
        chains.retain();
        thread.start();
    }

    /** Without a thread: the task's own reads a group when its turn comes, and waits for the disk. */
    void startInline() {
        chains.retain();
        isInline = true;
    }

    @Override
    public void run() {
        try {
            for (final RestoredTable table : tables) {
                for (int index = 0; index < table.pages().groups() && !stopped; index++) {
                    final Prepared next = prepare(table, index);
                    if (next != null) {
                        prepared.put(next);
                    }
                }
            }
            prepared.put(new Prepared(null, 0, null, null));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            chains.close();
        }
    }

    /** Reads a group, or gives null if it has nothing. */
    private Prepared prepare(final RestoredTable table, final int index) {
        final int keyGroup = table.pages().firstKeyGroup() + index;
        final String section = table.pages().section();
        if (table.pages().isDropped() || chains.isEmpty(section, keyGroup)) {
            return null;
        }
        try {
            return new Prepared(table, index, chains.image(section, keyGroup), null);
        } catch (final RuntimeException e) {
            return new Prepared(table, index, null, e);
        }
    }

    private Prepared next() {
        return isInline ? nextInline() : prepared.poll();
    }

    private Prepared nextInline() {
        for (; inlineTable < tables.size(); inlineTable++) {
            final RestoredTable table = tables.get(inlineTable);
            while (inlineGroup < table.pages().groups()) {
                final Prepared next = prepare(table, inlineGroup++);
                if (next != null) {
                    return next;
                }
            }
            inlineGroup = 0;
        }
        isInline = false;
        chains.close();
        return new Prepared(null, 0, null, null);
    }

    /**
     * Task thread: a few pages.
     *
     * @return the amount of work done.
     * @throws io.weir.storage.snapshot.CorruptionException if a part of the checkpoint is damaged.
     */
    int doWork() {
        if (done) {
            return 0;
        }
        if (warming == null) {
            final Prepared next = next();
            if (next == null) {
                return 0;
            }
            if (next.failure() != null) {
                throw next.failure();
            }
            if (next.table() == null) {
                done = true;
                return 1;
            }
            warming = next.table().open(next.index(), next.image());
            nextPage = 0;
        }
        nextPage = warming.materialiseFrom(nextPage, PAGES_A_STEP);
        if (nextPage == warming.end()) {
            warming = null;
        }
        return 1;
    }

    /** Task thread: whether every page of the checkpoint is in memory. */
    boolean isDone() {
        return done;
    }

    /** Any thread: gives up; what the thread reads at this moment it reads to its end. */
    void stop() {
        stopped = true;
        thread.interrupt();
        if (isInline) {
            isInline = false;
            chains.close();
        }
    }
}
