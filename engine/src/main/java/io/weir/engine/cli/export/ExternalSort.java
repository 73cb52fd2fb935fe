package io.weir.engine.cli.export;

import io.weir.engine.api.Codec;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.UUID;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sorts any number of records in bounded memory. What fits is sorted there and goes to a file; some such files are merged into one
 * of the next level as soon as there are that many; what is left is merged while it is handed out. One thread.
 *
 * @param <T> type of the records.
 */
final class ExternalSort<T> implements AutoCloseable {
    /** Of encoded bytes: the objects take some times as much. */
    private static final int MAX_LENGTH = 2 << 20;

    private static final int MAX_FILES = 32;

    private final Path folder;
    private final Codec<T> codec;
    private final Comparator<? super T> order;
    private final int maxLength;
    private final int maxFiles;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final List<List<Path>> levels = new ArrayList<>();
    private final List<T> inMemory = new ArrayList<>();
    private final List<SortedFile> open = new ArrayList<>();
    private long lengthInMemory;
    private long count;

    /**
     * Sorts with files in a folder.
     *
     * @param folder that is there; the files are gone when this is closed.
     * @param codec of the records; not a flyweight.
     * @param order of the records; which of two equal ones comes first is left open.
     */
    ExternalSort(final Path folder, final Codec<T> codec, final Comparator<? super T> order) {
        this(folder, codec, order, MAX_LENGTH, MAX_FILES);
    }

    /** With bounds: bytes of records in memory, at least one record, and files of a level, at least 2. */
    ExternalSort(
            final Path folder,
            final Codec<T> codec,
            final Comparator<? super T> order,
            final int maxLength,
            final int maxFiles) {
        this.folder = folder;
        this.codec = codec;
        this.order = order;
        this.maxLength = maxLength;
        this.maxFiles = maxFiles;
    }

    /**
     * Adds an encoded record.
     *
     * @throws IllegalArgumentException if it is none.
     * @throws UncheckedIOException if a file can't be written.
     */
    void add(final DirectBuffer record, final int offset, final int length) {
        inMemory.add(codec.decode(record, offset, length));
        lengthInMemory += length;
        count++;
        if (lengthInMemory >= maxLength) {
            spill();
        }
    }

    long count() {
        return count;
    }

    /**
     * All records in order, once; nothing may be added any more.
     *
     * @return an iterator that throws {@link UncheckedIOException}.
     */
    Iterator<T> sorted() {
        if (levels.isEmpty()) {
            inMemory.sort(order);
            return inMemory.iterator();
        }
        spill();
        final List<Path> files = new ArrayList<>();
        levels.forEach(files::addAll);
        return merged(files);
    }

    /** Deletes the files. */
    @Override
    public void close() {
        CloseHelper.closeAll(open);
        for (final List<Path> level : levels) {
            level.forEach(ExternalSort::delete);
        }
        levels.clear();
    }

    private void spill() {
        if (!inMemory.isEmpty()) {
            inMemory.sort(order);
            add(write(inMemory.iterator()), 0);
            inMemory.clear();
            lengthInMemory = 0;
        }
    }

    private void add(final Path file, final int level) {
        if (level == levels.size()) {
            levels.add(new ArrayList<>());
        }
        final List<Path> files = levels.get(level);
        files.add(file);
        if (files.size() == maxFiles) {
            final Path merged = write(merged(files));
            CloseHelper.closeAll(open);
            open.clear();
            files.forEach(ExternalSort::delete);
            files.clear();
            add(merged, level + 1);
        }
    }

    private Path write(final Iterator<T> records) {
        final Path file = folder.resolve("sort-" + UUID.randomUUID());
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            while (records.hasNext()) {
                final int length = codec.encode(records.next(), buffer, 0);
                out.writeInt(length);
                out.write(buffer.byteArray(), 0, length);
            }
        } catch (final IOException e) {
            delete(file);
            throw new UncheckedIOException(e);
        }
        return file;
    }

    private Iterator<T> merged(final List<Path> files) {
        final PriorityQueue<SortedFile> byHead =
                new PriorityQueue<>(Comparator.comparing((SortedFile file) -> file.head, order));
        for (final Path path : files) {
            final SortedFile file = new SortedFile(path);
            open.add(file);
            if (file.next()) {
                byHead.add(file);
            }
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !byHead.isEmpty();
            }

            @Override
            public T next() {
                final SortedFile first = byHead.poll();
                if (first == null) {
                    throw new NoSuchElementException();
                }
                final T record = first.head;
                if (first.next()) {
                    byHead.add(first);
                }
                return record;
            }
        };
    }

    private static void delete(final Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class SortedFile implements AutoCloseable {
        private final DataInputStream in;
        private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
        private T head;

        SortedFile(final Path path) {
            try {
                in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean next() {
            try {
                in.mark(1);
                if (in.read() < 0) {
                    return false;
                }
                in.reset();
                record.wrap(in.readNBytes(in.readInt()));
                head = codec.decode(record, 0, record.capacity());
                return true;
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
