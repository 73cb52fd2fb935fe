package io.weir.engine.simulation;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.log.LogException;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.agrona.DirectBuffer;

/**
 * A log of transactions on a disk, one file each: {@code <writer>@<attempt>-<number>.prepared} from the force on, renamed to {@code
 * .committed} by the commit. As bytes: {@code [CRC-32 of the rest, 4] ([length, 4][record])*}, big-endian.
 *
 * <p>One instance is one process's; what the disk keeps is all that the next one knows.
 */
final class SimulatedOutput implements TransactionalLog {
    private static final String PREPARED = ".prepared";
    private static final String COMMITTED = ".committed";

    private final String name;
    private final FileStore files;
    private final Path folder;
    private final Map<String, Long> attempts = new TreeMap<>();

    SimulatedOutput(final String name, final FileStore files, final Path folder) {
        this.name = name;
        this.files = files;
        this.folder = folder;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public TransactionalWriter open(final String writerId, final long attempt) {
        final Long former = attempts.put(writerId, attempt);
        if (former != null && former >= attempt) {
            throw new LogException(
                    name + ": writer " + writerId + " was open with attempt " + former + " before attempt " + attempt);
        }
        guard(() -> {
            if (files.kind(folder) == FileKind.ABSENT) {
                files.createDirectory(folder);
            }
            files.forceDirectory(folder.getParent());
        });
        return new Writer(writerId, attempt);
    }

    /** Everything that readers see, of all writers. */
    static List<byte[]> committed(final FileStore files, final Path folder) {
        final List<byte[]> records = new ArrayList<>();
        if (files.kind(folder) == FileKind.ABSENT) {
            return records;
        }
        for (final String file : files.list(folder)) {
            if (file.endsWith(COMMITTED)) {
                final ByteBuffer bytes = read(files, folder.resolve(file));
                while (bytes.hasRemaining()) {
                    final byte[] record = new byte[bytes.getInt()];
                    bytes.get(record);
                    records.add(record);
                }
            }
        }
        return records;
    }

    /** The records of a file whose checksum is right. */
    private static ByteBuffer read(final FileStore files, final Path file) {
        try (OpenFile open = files.openReadOnly(file)) {
            final ByteBuffer bytes = ByteBuffer.allocate((int) open.size());
            open.read(0, bytes);
            bytes.flip();
            if (bytes.remaining() < Integer.BYTES || bytes.getInt() != checksum(bytes)) {
                throw new LogException("transaction " + file + " is torn");
            }
            return bytes;
        }
    }

    private static int checksum(final ByteBuffer bytes) {
        final CRC32 checksum = new CRC32();
        checksum.update(bytes.duplicate());
        return (int) checksum.getValue();
    }

    private void guard(final Runnable work) {
        try {
            work.run();
        } catch (final FileException e) {
            throw new LogException(name + ": " + e.getMessage(), e);
        }
    }

    private final class Writer implements TransactionalWriter {
        private final String writerId;
        private final String prefix;
        private final long attempt;
        private final Map<String, List<byte[]>> prepared = new LinkedHashMap<>();
        private List<byte[]> open = new ArrayList<>();
        private int nextNumber;
        private boolean isClosed;

        Writer(final String writerId, final long attempt) {
            this.writerId = writerId;
            this.attempt = attempt;
            prefix = writerId.replace('/', '~') + '@';
        }

        @Override
        public void requireNewest(final byte[] handle) {
            final String known = handle == null ? prefix : text(handle);
            // After a change of parallelism the handle may be of a writer that is no more.
            final String newest = newest(known.substring(0, known.indexOf('@') + 1));
            if (newest != null && newest.compareTo(known) > 0) {
                throw new LogException(name + ": " + newest + " was committed after "
                        + (handle == null
                                ? "a checkpoint that knows of none"
                                : known + ", the newest that the checkpoint knows"));
            }
        }

        @Override
        public byte[] newest() {
            final String newest = newest(prefix);
            return newest == null ? null : newest.getBytes(StandardCharsets.UTF_8);
        }

        private String newest(final String writer) {
            final List<String> committed = new ArrayList<>();
            guard(() -> {
                for (final String file : files.list(folder)) {
                    if (file.startsWith(writer) && file.endsWith(COMMITTED)) {
                        committed.add(file.substring(0, file.length() - COMMITTED.length()));
                    }
                }
            });
            return committed.isEmpty() ? null : Collections.max(committed);
        }

        @Override
        public void dropAbandoned() {
            final String family = prefix.substring(0, prefix.lastIndexOf('~') + 1);
            guard(() -> {
                for (final String file : files.list(folder)) {
                    if (file.startsWith(family) && file.endsWith(PREPARED) && !isPresent(file)) {
                        files.delete(folder.resolve(file));
                    }
                }
                files.forceDirectory(folder);
            });
        }

        /** Whether the writer of a file was opened by this process, which keeps its parallelism. */
        private boolean isPresent(final String file) {
            return attempts.containsKey(file.substring(0, file.indexOf('@')).replace('~', '/'));
        }

        @Override
        public void recover(final List<byte[]> handles) {
            handles.forEach(this::commit);
            guard(() -> {
                for (final String file : files.list(folder)) {
                    if (file.startsWith(prefix) && file.endsWith(PREPARED)) {
                        files.delete(folder.resolve(file));
                    }
                }
                files.forceDirectory(folder);
            });
        }

        @Override
        public void append(final DirectBuffer buffer, final int offset, final int length) {
            requireUsable();
            final byte[] record = new byte[length];
            buffer.getBytes(offset, record);
            open.add(record);
        }

        @Override
        public byte[] prepare(final long checkpointId) {
            requireUsable();
            if (open.isEmpty()) {
                return null;
            }
            // Names sort as the transactions follow each other.
            final String transaction = prefix + String.format(Locale.ROOT, "%06d-%06d", attempt, nextNumber++);
            prepared.put(transaction, open);
            open = new ArrayList<>();
            return transaction.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void force(final byte[] handle) {
            requireUsable();
            final String transaction = text(handle);
            final ByteBuffer bytes = bytes(prepared.get(transaction));
            final Path file = folder.resolve(transaction + PREPARED);
            guard(() -> {
                // It is there if an earlier force got so far.
                files.delete(file);
                try (OpenFile created = files.create(file)) {
                    created.write(0, bytes);
                    created.force();
                }
                files.forceDirectory(folder);
            });
        }

        @Override
        public void commit(final byte[] handle) {
            requireUsable();
            final String transaction = text(handle);
            final Path from = folder.resolve(transaction + PREPARED);
            final Path to = folder.resolve(transaction + COMMITTED);
            guard(() -> {
                if (files.kind(to) == FileKind.ABSENT) {
                    if (files.kind(from) == FileKind.ABSENT) {
                        throw new LogException(name + ": transaction " + transaction + " is lost");
                    }
                    read(files, from);
                    files.rename(from, to);
                }
                files.forceDirectory(folder);
            });
            prepared.remove(transaction);
        }

        @Override
        public void abort(final byte[] handle) {
            requireUsable();
            final String transaction = text(handle);
            guard(() -> files.delete(folder.resolve(transaction + PREPARED)));
            prepared.remove(transaction);
        }

        @Override
        public void close() {
            isClosed = true;
        }

        private void requireUsable() {
            if (isClosed || attempts.get(writerId) != attempt) {
                throw new LogException(name + ": writer " + writerId + " of attempt " + attempt
                        + (isClosed ? " is closed" : " is fenced"));
            }
        }

        private String text(final byte[] handle) {
            return new String(handle, StandardCharsets.UTF_8);
        }

        private ByteBuffer bytes(final List<byte[]> records) {
            final int length = records.stream()
                    .mapToInt(record -> Integer.BYTES + record.length)
                    .sum();
            final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + length).position(Integer.BYTES);
            records.forEach(record -> bytes.putInt(record.length).put(record));
            bytes.position(Integer.BYTES);
            return bytes.putInt(0, checksum(bytes)).position(0);
        }
    }
}
