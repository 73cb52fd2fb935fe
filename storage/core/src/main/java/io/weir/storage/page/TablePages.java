package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.state.StateException;

/** The pages of one table over the key groups of a store, opened one by one. Task thread. */
final class TablePages {
    private final PageStore store;
    private final String section;
    private TableName name;
    private final int firstKeyGroup;
    private final PageGroup[] groups;
    private final int table;
    private RestoredChains restored;

    /** Written by the task thread, read by the one that reads ahead. */
    private volatile boolean dropped;

    /**
     * The pages of a table.
     *
     * @param restored the checkpoint's pages, null if there is none.
     */
    TablePages(
            final PageStore store,
            final TableName name,
            final int firstKeyGroup,
            final int endKeyGroup,
            final RestoredChains restored) {
        this.store = store;
        this.section = name.section();
        this.name = name;
        this.firstKeyGroup = firstKeyGroup;
        this.groups = new PageGroup[endKeyGroup - firstKeyGroup];
        this.restored = restored;
        this.table = store.addTable(name, groups);
    }

    String name() {
        return name.name();
    }

    /** The table's name in segments. Any thread. */
    String section() {
        return section;
    }

    /** Goes on with other attributes. */
    void attributes(final String attributes) {
        if (!name.attributes().equals(attributes)) {
            name = new TableName(section, attributes);
            store.renameTable(table, name);
        }
    }

    /** Nobody uses the table any more, and no segment will have it. */
    void drop() {
        dropped = true;
        store.renameTable(table, TableName.DROPPED);
    }

    boolean isDropped() {
        return dropped;
    }

    int firstKeyGroup() {
        return firstKeyGroup;
    }

    int groups() {
        return groups.length;
    }

    /** Whether a group has no pages, as far as can be told without opening it. */
    boolean isEmpty(final int index) {
        return groups[index] == null && (restored == null || restored.isEmpty(section, firstKeyGroup + index));
    }

    /** The pages of a group, those of the checkpoint among them; once for each group. */
    PageGroup open(final int index) {
        final boolean isRestored = restored != null && !restored.isEmpty(section, firstKeyGroup + index);
        return open(index, isRestored ? restored.image(section, firstKeyGroup + index) : null);
    }

    /** The pages of a group with what was read of the checkpoint, null if it has none; once for each group. */
    PageGroup open(final int index, final GroupImage image) {
        final PageGroup group = new PageGroup(store, table, firstKeyGroup + index);
        if (image != null) {
            group.restore(image);
        }
        groups[index] = group;
        return group;
    }

    /** Whether a page may be written as it is. */
    boolean isWritable(final Page page) {
        return page.epoch() == store.epoch();
    }

    /** The pages of a group if they are open, else null. */
    PageGroup group(final int index) {
        return groups[index];
    }

    /** Every page of the checkpoint is in memory: it is not read any more. */
    void forgetRestored() {
        restored = null;
    }

    StateException foreign(final int keyGroup) {
        return new StateException("state " + name.name() + ": keyGroup=" + keyGroup + " is not owned, only ["
                + firstKeyGroup + ", " + (firstKeyGroup + groups.length) + ")");
    }
}
