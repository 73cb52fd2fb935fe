package io.weir.storage.page;

import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.pagefile.PageSegmentWriter;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.state.KeyedStateStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The pages of {@link SmallState}, to be changed and put into a segment whose checksums are right. */
record CraftedPages(List<Placed> pages) {
    private static final String FILE = "0-crafted";

    record Placed(String table, int keyGroup, int number, UnsafeBuffer bytes) {
        Page page() {
            return new Page().wrap(bytes);
        }
    }

    static CraftedPages read() {
        final SmallState state = SmallState.write();
        final List<Placed> pages = new ArrayList<>();
        try (PageChain chain = SmallState.open(state.files(), state.chain())) {
            for (final String table : chain.tables()) {
                for (int keyGroup = 0; keyGroup < SmallState.KEY_GROUPS; keyGroup++) {
                    final GroupImage image = chain.image(table, keyGroup);
                    for (int i = 0; i < image.pages(); i++) {
                        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Page.LENGTH]);
                        image.read(image.pageNumber(i), bytes, 0);
                        pages.add(new Placed(table, keyGroup, image.pageNumber(i), bytes));
                    }
                }
            }
        }
        return new CraftedPages(pages);
    }

    /** Opens a store that is restored from the pages as they are now. */
    KeyedStateStore restore() {
        final FolderSegments segments = new FolderSegments(new MemoryFileStore());
        final SegmentHandle segment = write(segments);
        final KeyedStateStore store = SmallState.BACKEND.open(segments.context(SmallState.KEY_GROUPS));
        store.restoreShared(List.of(segment), 0, SmallState.KEY_GROUPS);
        return store;
    }

    private SegmentHandle write(final FolderSegments segments) {
        final List<String> tables = pages.stream().map(Placed::table).distinct().toList();
        final TableName values = TableName.of(SmallState.VALUES);
        try (PageSegmentWriter writer = PageSegmentWriter.create(segments.files(), Path.of("/", FILE), FILE)) {
            for (final String table : tables) {
                writer.table(table, values.section().equals(table) ? values.attributes() : "");
            }
            for (final Placed page : pages) {
                writer.page(
                        tables.indexOf(page.table()), page.keyGroup(), page.number(), Page.ALL_LINES, page.bytes(), 0);
            }
            return writer.finish();
        }
    }
}
