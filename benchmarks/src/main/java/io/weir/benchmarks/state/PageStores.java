package io.weir.benchmarks.state;

import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.FrozenState;
import io.weir.storage.state.KeyedStateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A filled store of pages and the folder of its segments. */
final class PageStores implements AutoCloseable {
    private static final int FILL_SLICE = 1 << 16;

    /** So much that a chain's changes are not merged into its base, which other figures are about. */
    private static final double MERGE_FACTOR = 1000;

    private final FolderSegments segments;
    private final KeyedStateStore store;
    private final TableContender table;

    private PageStores(final FolderSegments segments, final KeyedStateStore store) {
        this.segments = segments;
        this.store = store;
        table = TableContender.of("pages", store);
    }

    static PageStores filled(final Path folder, final int keys) throws IOException {
        final FolderSegments segments = new FolderSegments(folder);
        final PageStores stores = new PageStores(
                segments, new PagesStateBackend().mergeFactor(MERGE_FACTOR).open(TableContender.context(segments)));
        fill(stores.table, keys);
        return stores;
    }

    static void fill(final Contender contender, final int keys) {
        for (int from = 0; from < keys; from += FILL_SLICE) {
            contender.fill(Keys.Draw.range(from, Math.min(keys, from + FILL_SLICE)));
        }
    }

    TableContender table() {
        return table;
    }

    FolderSegments segments() {
        return segments;
    }

    FrozenState freeze() {
        return store.freeze();
    }

    List<SegmentHandle> snapshot() {
        return segments.write(store.freeze());
    }

    /** Frees the memory; the segments stay. */
    void closeStore() {
        store.close();
    }

    @Override
    public void close() {
        store.close();
        segments.close();
    }
}
