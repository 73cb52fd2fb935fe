package io.weir.storage.page;

import io.weir.storage.pagefile.GroupImage;
import io.weir.storage.state.StateException;
import io.weir.storage.state.ValueTable;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One state's entries in pages. Lookups allocate nothing, nor do updates that change no entry's length. Task thread. */
final class PageTable implements ValueTable, Warmup.RestoredTable {
    private static final int MAX_LARGE_LENGTH = 1 << 30;

    private final TablePages tablePages;
    private final HashDirectory[] directories;
    private final int maxDepth;
    private final Page page = new Page();
    private final Page other = new Page();
    private final Page scratch = new Page();
    private final UnsafeBuffer scratchBuffer = new UnsafeBuffer(new byte[Page.LENGTH]);
    private final OverflowPages overflow = new OverflowPages();
    private final LargeKeysOfGroup large = new LargeKeysOfGroup();
    private final UnsafeBuffer largeValue = new UnsafeBuffer(0, 0);
    private final Page scanned = new Page();
    private final ScannedEntries scannedEntries = new ScannedEntries();
    private final UnsafeBuffer scannedKey = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer scannedLargeKey = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer scannedValue = new UnsafeBuffer(0, 0);

    PageTable(final TablePages tablePages, final int maxDepth) {
        this.tablePages = tablePages;
        this.directories = new HashDirectory[tablePages.groups()];
        this.maxDepth = maxDepth;
        scratch.wrap(scratchBuffer);
    }

    private HashDirectory directory(final int keyGroup) {
        final int index = keyGroup - tablePages.firstKeyGroup();
        if (index < 0 || index >= directories.length) {
            throw tablePages.foreign(keyGroup);
        }
        final HashDirectory directory = directories[index];
        return directory != null ? directory : open(index);
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
        wrapValue(directory.pages(), page, HashPage.entry(page, slot), value);
        return true;
    }

    private void wrapValue(final PageGroup group, final Page from, final int entry, final DirectBuffer value) {
        final int length = HashPage.valueLength(from, entry);
        final int keyLength = HashPage.keyLength(from, entry);
        if (HashPage.isLarge(from, entry)) {
            final UnsafeBuffer copy = largeBuffer(largeValue, length);
            overflow.read(group, HashPage.firstOverflowPage(from, entry), keyLength, copy, length);
            value.wrap(copy, 0, length);
        } else {
            value.wrap(from.address() + HashPage.keyOffset(entry) + keyLength, length);
        }
    }

    private static UnsafeBuffer largeBuffer(final UnsafeBuffer buffer, final int length) {
        if (buffer.capacity() < length) {
            buffer.wrap(new byte[Math.max(length, (int) Math.min(MAX_LARGE_LENGTH, 2L * buffer.capacity()))]);
        }
        return buffer;
    }

    /** Finds an entry's slot; {@link #page} then shows the page it is in, or else the last one that was searched. */
    private int find(
            final HashDirectory directory,
            final long hash,
            final DirectBuffer key,
            final int offset,
            final int length) {
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
    public long touch(final int keyGroup, final DirectBuffer key, final int offset, final int length) {
        final long hash = KeyBytes.hash(key, offset, length);
        final long head = directory(keyGroup).head(hash);
        return head == 0 ? 0 : HashPage.touch(HashDirectory.address(head), HashDirectory.slotBits(head), hash);
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
        final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
        final UnsafeBuffer valueView = new UnsafeBuffer(0, 0);
        final UnsafeBuffer largeKey = new UnsafeBuffer(0, 0);
        final Page visited = new Page();
        for (int index = 0; index < directories.length; index++) {
            if (directories[index] == null && tablePages.isEmpty(index)) {
                continue;
            }
            final HashDirectory directory = directory(tablePages.firstKeyGroup() + index);
            final PageGroup group = directory.pages();
            for (int number = 0; number < group.end(); number++) {
                if (!group.has(number) || group.read(number, visited).kind() != Page.HASH) {
                    continue;
                }
                for (int slot = HashPage.firstSlot(visited);
                        slot != HashPage.NOT_FOUND;
                        slot = HashPage.nextSlot(visited, slot)) {
                    final int entry = HashPage.entry(visited, slot);
                    wrapKey(group, visited, entry, largeKey, keyView);
                    wrapValue(group, visited, entry, valueView);
                    visitor.onEntry(group.keyGroup(), keyView, valueView);
                }
            }
        }
    }

    /**
     * The cursor is the index of the key group and the first {@link HashDirectory#MAX_DEPTH} bits of the hash to go on from.
     * Pages lie in the order of their hash prefixes whatever is split or merged meanwhile, so a pass meets each place once; a
     * page that has grown backwards over the cursor is read from the cursor on. Of a page the keys are gathered first, so that the
     * visitor may change it.
     */
    @Override
    public long scan(final long cursor, final int maxEntries, final Visitor visitor) {
        if (cursor < 0 || maxEntries < 1) {
            throw new IllegalArgumentException(
                    "cursor=" + cursor + " must be >= 0, maxEntries=" + maxEntries + " >= 1");
        }
        int index = (int) (cursor >>> Integer.SIZE);
        int from = (int) cursor << (Integer.SIZE - HashDirectory.MAX_DEPTH);
        int left = maxEntries;
        while (left > 0 && index < directories.length) {
            left--;
            boolean isLast = true;
            if (directories[index] != null || !tablePages.isEmpty(index)) {
                final HashDirectory directory = directory(tablePages.firstKeyGroup() + index);
                final PageGroup group = directory.pages();
                group.read(directory.numberOfPrefix(from), scanned);
                final int depth = scanned.depth();
                final int end = depth == 0 ? 0 : scanned.prefix() + (1 << (Integer.SIZE - depth));
                left -= scanPages(group, from, visitor);
                isLast = end == 0;
                from = end;
            }
            if (isLast) {
                index++;
                from = 0;
            }
        }
        return index == directories.length
                ? SCAN_END
                : ((long) index << Integer.SIZE) | (from >>> (Integer.SIZE - HashDirectory.MAX_DEPTH));
    }

    /** Visits the entries of the page that {@link #scanned} shows, and of those chained to it, from a hash prefix on. */
    private int scanPages(final PageGroup group, final int from, final Visitor visitor) {
        final ScannedEntries entries = scannedEntries;
        entries.clear();
        while (true) {
            gather(group, from);
            if (scanned.next() == Page.NO_PAGE) {
                break;
            }
            group.read(scanned.next(), scanned);
        }
        final int keyGroup = group.keyGroup();
        for (int i = 0; i < entries.count(); i++) {
            entries.wrapKey(i, scannedKey);
            // What the visitor has taken out meanwhile is not there any more, and what it has changed is as it is now.
            if (get(keyGroup, scannedKey, 0, scannedKey.capacity(), scannedValue)) {
                visitor.onEntry(keyGroup, scannedKey, scannedValue);
            }
        }
        return entries.count();
    }

    private void gather(final PageGroup group, final int from) {
        for (int slot = HashPage.firstSlot(scanned);
                slot != HashPage.NOT_FOUND;
                slot = HashPage.nextSlot(scanned, slot)) {
            final int entry = HashPage.entry(scanned, slot);
            final int prefix = (int) (HashPage.hash(scanned, entry) >>> Integer.SIZE);
            if (Integer.compareUnsigned(prefix, from) >= 0) {
                wrapKey(group, scanned, entry, scannedLargeKey, scannedKey);
                scannedEntries.addKey(scannedKey);
            }
        }
    }

    private void wrapKey(
            final PageGroup group,
            final Page from,
            final int entry,
            final UnsafeBuffer largeKey,
            final UnsafeBuffer keyView) {
        final int length = HashPage.keyLength(from, entry);
        if (HashPage.isLarge(from, entry)) {
            overflow.read(group, HashPage.firstOverflowPage(from, entry), 0, largeBuffer(largeKey, length), length);
            keyView.wrap(largeKey, 0, length);
        } else {
            keyView.wrap(from.buffer(), HashPage.keyOffset(entry), length);
        }
    }

    @Override
    public long size() {
        long size = 0;
        for (int index = 0; index < directories.length; index++) {
            if (directories[index] != null || !tablePages.isEmpty(index)) {
                size += directory(tablePages.firstKeyGroup() + index).size();
            }
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
