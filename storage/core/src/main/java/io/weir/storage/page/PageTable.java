package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.state.StateException;
import io.weir.storage.state.ValueTable;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One state's entries in pages. Lookups allocate nothing, nor do updates that change no entry's length. Task thread. */
final class PageTable implements ValueTable, Warmup.RestoredTable {
    static final int MAX_LARGE_LENGTH = 1 << 30;

    private final TablePages tablePages;
    private final HashDirectory[] directories;
    private final int maxDepth;
    private final Page page = new Page();
    private final Page other = new Page();
    private final Page scratch = new Page();
    private final UnsafeBuffer scratchBuffer = new UnsafeBuffer(new byte[Page.LENGTH]);
    private final OverflowPages overflow = new OverflowPages();
    private final LargeKeysOfGroup large = new LargeKeysOfGroup();
    private final EntryBytes bytes = new EntryBytes();
    private final TouchedAhead ahead = new TouchedAhead();
    private final TableScan scan;

    /** The slot of the entry that the last lookup found in {@link #page}, as long as nothing has been done since. */
    private int found = HashPage.NOT_FOUND;

    PageTable(final TablePages tablePages, final int maxDepth) {
        this.tablePages = tablePages;
        this.directories = new HashDirectory[tablePages.groups()];
        this.maxDepth = maxDepth;
        scratch.wrap(scratchBuffer);
        scan = new TableScan(this);
    }

    private HashDirectory directory(final int keyGroup) {
        final int index = keyGroup - tablePages.firstKeyGroup();
        if (index < 0 || index >= directories.length) {
            throw tablePages.foreign(keyGroup);
        }
        final HashDirectory directory = directories[index];
        return directory != null ? directory : open(index);
    }

    /** That of the key group at an index; null if the group never had an entry. */
    HashDirectory directoryIfAny(final int index) {
        final HashDirectory directory = directories[index];
        return directory != null || tablePages.isEmpty(index) ? directory : open(index);
    }

    private HashDirectory open(final int index) {
        return open(index, tablePages.open(index));
    }

    @Override
    public TablePages pages() {
        return tablePages;
    }

    @Override
    public PageGroup open(final int index, final GroupImage image) {
        if (directories[index] == null) {
            open(index, tablePages.open(index, image));
        }
        return directories[index].pages();
    }

    private HashDirectory open(final int index, final PageGroup group) {
        found = HashPage.NOT_FOUND;
        final HashDirectory opened = new HashDirectory(group, maxDepth);
        if (group.end() > 0) {
            opened.restore(page);
        } else {
            opened.create(page);
        }
        directories[index] = opened;
        return opened;
    }

    @Override
    public boolean get(
            final int keyGroup, final DirectBuffer key, final int offset, final int length, final DirectBuffer value) {
        final HashDirectory directory = directory(keyGroup);
        final int slot = find(directory, KeyBytes.hash(key, offset, length), key, offset, length);
        if (slot == HashPage.NOT_FOUND) {
            return false;
        }
        bytes.wrapValue(directory.pages(), page, HashPage.entry(page, slot), value);
        found = slot;
        return true;
    }

    /** Finds an entry's slot; {@link #page} then shows the page it is in, or else the last one that was searched. */
    private int find(
            final HashDirectory directory,
            final long hash,
            final DirectBuffer key,
            final int offset,
            final int length) {
        found = HashPage.NOT_FOUND;
        final PageGroup group = directory.pages();
        large.keyGroup = group.keyGroup();
        int slot = HashPage.find(page, readHead(directory, hash), hash, key, offset, length, large);
        while (slot == HashPage.NOT_FOUND && page.next() != Page.NO_PAGE) {
            group.read(page.next(), page);
            slot = HashPage.find(page, page.slotBits(), hash, key, offset, length, large);
        }
        return slot;
    }

    /** Lets {@link #page} show the page that a hash leads to, without reading it; its slot bits. */
    private int readHead(final HashDirectory directory, final long hash) {
        final long head = directory.head(hash);
        if (head != 0) {
            page.wrap(HashDirectory.address(head));
            return HashDirectory.slotBits(head);
        }
        directory.pages().read(directory.number(hash), page);
        directory.redirect(page);
        return page.slotBits();
    }

    @Override
    public void ahead(final int keyGroup, final DirectBuffer key, final int offset, final int length) {
        final long hash = KeyBytes.hash(key, offset, length);
        final long head = directory(keyGroup).head(hash);
        if (head != 0) {
            ahead.add(HashDirectory.address(head), HashDirectory.slotBits(head), hash);
        }
    }

    @Override
    public void touch() {
        ahead.load();
    }

    /** Makes the page that {@link #page} shows ready to be written. */
    private void write(final HashDirectory directory) {
        if (directory.pages().write(page.number(), page) && !page.isChained()) {
            directory.redirect(page);
        }
    }

    @Override
    public void put(
            final int keyGroup,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        if (found != HashPage.NOT_FOUND
                && keyGroup == large.keyGroup
                && HashPage.isSmallKey(page, found, key, keyOffset, keyLength)) {
            // Who has just read the value writes it: nothing has to be looked up again.
            if (!tablePages.isWritable(page)) {
                write(directory(keyGroup));
            }
            if (HashPage.replace(page, HashPage.entry(page, found), value, valueOffset, valueLength)) {
                return;
            }
        }
        final HashDirectory directory = directory(keyGroup);
        if ((long) keyLength + valueLength > MAX_LARGE_LENGTH) {
            throw new StateException("state " + tablePages.name() + ": an entry of " + keyLength + " + " + valueLength
                    + " bytes is longer than " + MAX_LARGE_LENGTH);
        }
        final long hash = KeyBytes.hash(key, keyOffset, keyLength);
        final int slot = find(directory, hash, key, keyOffset, keyLength);
        final boolean isSmall = HashPage.isSmall(keyLength, valueLength);
        if (slot == HashPage.NOT_FOUND) {
            if (isSmall) {
                makeRoom(directory, hash, HashPage.entryLength(keyLength, valueLength));
                HashPage.add(page, hash, key, keyOffset, keyLength, value, valueOffset, valueLength);
            } else {
                addLarge(directory, hash, key, keyOffset, keyLength, value, valueOffset, valueLength);
            }
            directory.changeSize(1);
            return;
        }
        write(directory);
        final int entry = HashPage.entry(page, slot);
        if (isSmall && !HashPage.isLarge(page, entry)) {
            if (HashPage.replace(page, entry, value, valueOffset, valueLength)) {
                return;
            }
            HashPage.remove(page, slot);
            makeRoom(directory, hash, HashPage.entryLength(keyLength, valueLength));
            HashPage.add(page, hash, key, keyOffset, keyLength, value, valueOffset, valueLength);
        } else {
            removeEntry(directory.pages(), slot);
            directory.changeSize(-1);
            put(keyGroup, key, keyOffset, keyLength, value, valueOffset, valueLength);
        }
    }

    private void addLarge(
            final HashDirectory directory,
            final long hash,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        final int first = overflow.add(directory.pages(), key, keyOffset, keyLength, value, valueOffset, valueLength);
        makeRoom(directory, hash, HashPage.LARGE_ENTRY_LENGTH);
        HashPage.addLarge(page, hash, keyLength, valueLength, first);
    }

    /** Lets {@link #page} show a page, ready to be written, that an entry of a hash belongs to and that has room for it. */
    private void makeRoom(final HashDirectory directory, final long hash, final int length) {
        final PageGroup group = directory.pages();
        int number = directory.number(hash);
        while (true) {
            group.read(number, page);
            if (HashPage.hasRoom(page, length)) {
                write(directory);
                return;
            }
            if (HashPage.hasRoomIfRebuilt(page, length)) {
                write(directory);
                HashPage.rebuild(page, scratch);
                if (!page.isChained()) {
                    directory.redirect(page);
                }
                return;
            }
            if (!page.isChained() && !directory.isDeepest(page.depth())) {
                split(directory);
                number = directory.number(hash);
            } else if (page.next() != Page.NO_PAGE) {
                number = page.next();
            } else {
                number = chain(directory);
            }
        }
    }

    /** Halves the page that {@link #page} shows; what is in pages chained to it finds new places. */
    private void split(final HashDirectory directory) {
        final PageGroup group = directory.pages();
        final int depth = page.depth() + 1;
        final int prefix = page.prefix();
        final int upperPrefix = prefix | (1 << (Integer.SIZE - depth));
        group.allocate(other);
        write(directory);
        final int chained = page.next();
        scratchBuffer.putBytes(0, page.buffer(), 0, Page.LENGTH);
        HashPage.initHalf(page, scratch, prefix, depth);
        HashPage.initHalf(other, scratch, upperPrefix, depth);
        for (int slot = HashPage.firstSlot(scratch);
                slot != HashPage.NOT_FOUND;
                slot = HashPage.nextSlot(scratch, slot)) {
            final long hash = HashPage.hash(scratch, HashPage.entry(scratch, slot));
            final boolean isUpper = ((hash >>> (Long.SIZE - depth)) & 1) != 0;
            HashPage.copyEntry(scratch, slot, isUpper ? other : page);
        }
        directory.redirect(page);
        directory.redirect(other);
        if (chained != Page.NO_PAGE) {
            unchain(directory, chained);
        }
    }

    /** Gives pages up that were chained, and adds their entries anew. Rare: hashes were alike, or pages few. */
    private void unchain(final HashDirectory directory, final int first) {
        final PageGroup group = directory.pages();
        final Page copy = new Page().wrap(new UnsafeBuffer(new byte[Page.LENGTH]));
        int number = first;
        while (number != Page.NO_PAGE) {
            copy.buffer().putBytes(0, group.read(number, page).buffer(), 0, Page.LENGTH);
            group.release(number, page);
            for (int slot = HashPage.firstSlot(copy);
                    slot != HashPage.NOT_FOUND;
                    slot = HashPage.nextSlot(copy, slot)) {
                final int entry = HashPage.entry(copy, slot);
                makeRoom(directory, HashPage.hash(copy, entry), HashPage.storedLength(copy, entry));
                HashPage.copyEntry(copy, slot, page);
            }
            number = copy.next();
        }
    }

    private int chain(final HashDirectory directory) {
        final int depth = page.depth();
        final int prefix = page.prefix();
        final int average = HashPage.averageEntryLength(page);
        final int added = directory.pages().allocate(other);
        HashPage.init(other, average, prefix, depth);
        other.chained();
        write(directory);
        page.next(added);
        page.markHeader();
        return added;
    }

    @Override
    public boolean remove(final int keyGroup, final DirectBuffer key, final int offset, final int length) {
        final HashDirectory directory = directory(keyGroup);
        final int slot = find(directory, KeyBytes.hash(key, offset, length), key, offset, length);
        if (slot == HashPage.NOT_FOUND) {
            return false;
        }
        write(directory);
        removeEntry(directory.pages(), slot);
        directory.changeSize(-1);
        mergeIfSparse(directory);
        return true;
    }

    /** Takes an entry out of the page that {@link #page} shows and that is ready to be written. */
    private void removeEntry(final PageGroup group, final int slot) {
        final int entry = HashPage.entry(page, slot);
        final int firstPage = HashPage.isLarge(page, entry) ? HashPage.firstOverflowPage(page, entry) : Page.NO_PAGE;
        HashPage.remove(page, slot);
        if (firstPage != Page.NO_PAGE) {
            overflow.remove(group, firstPage);
        }
    }

    private void mergeIfSparse(final HashDirectory directory) {
        if (!HashPage.isSparse(page) || page.depth() == 0 || page.isChained() || page.next() != Page.NO_PAGE) {
            return;
        }
        final PageGroup group = directory.pages();
        final int depth = page.depth();
        final int bit = 1 << (Integer.SIZE - depth);
        final int buddy = directory.numberOfPrefix(page.prefix() ^ bit);
        group.read(buddy, other);
        if (other.depth() != depth || other.next() != Page.NO_PAGE || !HashPage.canMerge(page, other)) {
            return;
        }
        final int prefix = page.prefix() & ~bit;
        final int count = page.count() + other.count();
        final int average = count == 0 ? HashPage.LARGE_ENTRY_LENGTH : (page.liveBytes() + other.liveBytes()) / count;
        scratchBuffer.putBytes(0, page.buffer(), 0, Page.LENGTH);
        HashPage.init(page, average, prefix, depth - 1);
        copyAll(scratch, page);
        copyAll(other, page);
        directory.redirect(page);
        group.release(buddy, other);
    }

    private static void copyAll(final Page from, final Page to) {
        for (int slot = HashPage.firstSlot(from); slot != HashPage.NOT_FOUND; slot = HashPage.nextSlot(from, slot)) {
            HashPage.copyEntry(from, slot, to);
        }
    }

    @Override
    public void forEach(final Visitor visitor) {
        new TableScan(this).forEach(visitor);
    }

    @Override
    public long scan(final long cursor, final int maxEntries, final Visitor visitor) {
        return scan.scan(cursor, maxEntries, visitor);
    }

    @Override
    public long size() {
        long size = 0;
        for (int index = 0; index < directories.length; index++) {
            final HashDirectory directory = directoryIfAny(index);
            size += directory == null ? 0 : directory.size();
        }
        return size;
    }

    /** Whether there is an entry. */
    boolean isEmpty() {
        return Arrays.stream(directories).allMatch(directory -> directory == null || directory.size() == 0)
                && size() == 0;
    }

    /** The overflow pages of the group that is searched. */
    private final class LargeKeysOfGroup implements HashPage.LargeKeys {
        // Not the group itself: a reference that changes with each lookup costs the collector's barrier.
        private int keyGroup;

        @Override
        public boolean isKey(final int firstPage, final DirectBuffer key, final int offset, final int length) {
            return overflow.isKey(directory(keyGroup).pages(), firstPage, key, offset, length);
        }
    }
}
