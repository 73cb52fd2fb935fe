package io.weir.storage.file;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** The real disk. Stateless. */
public final class DiskFileStore implements FileStore {
    // A POSIX lock belongs to the process and falls when the process closes any descriptor of the file, even one that
    // only
    // tried to lock it. So whether a file is locked has to be known before it is opened, process-wide like the lock
    // itself:
    // the one place where static state is right.
    private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

    @Override
    public FileKind kind(final Path path) {
        try {
            final BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
                return FileKind.FILE;
            }
            return attributes.isDirectory() ? FileKind.DIRECTORY : FileKind.OTHER;
        } catch (final NoSuchFileException e) {
            return FileKind.ABSENT;
        } catch (final IOException e) {
            final Path parent = path.getParent();
            if (parent != null && Files.isRegularFile(parent)) {
                return FileKind.ABSENT;
            }
            throw failed("look at", path, e);
        }
    }

    @Override
    public List<String> list(final Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (final IOException | java.io.UncheckedIOException e) {
            throw failed("list", directory, e);
        }
    }

    @Override
    public OpenFile create(final Path file) {
        return openChannel("create", file, true, CREATE_NEW, READ, WRITE);
    }

    @Override
    public OpenFile open(final Path file) {
        return openChannel("open", file, true, READ, WRITE);
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        return openChannel("open for reading", file, false, READ);
    }

    private static OpenFile openChannel(
            final String operation, final Path file, final boolean writable, final OpenOption... options) {
        try {
            return new DiskFile(file, FileChannel.open(file, options), writable);
        } catch (final IOException e) {
            throw failed(operation, file, e);
        }
    }

    @Override
    public void createDirectory(final Path directory) {
        try {
            Files.createDirectory(directory);
        } catch (final IOException e) {
            throw failed("create directory", directory, e);
        }
    }

    @Override
    public void rename(final Path from, final Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException e) {
            throw failed("rename to " + to, from, e);
        }
    }

    @Override
    public boolean delete(final Path path) {
        try {
            return Files.deleteIfExists(path);
        } catch (final IOException e) {
            throw failed("delete", path, e);
        }
    }

    @Override
    public void forceDirectory(final Path directory) {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        } catch (final IOException e) {
            throw failed("force directory", directory, e);
        }
    }

    @Override
    public FileClaim tryClaim(final Path file) {
        final Path real = realPath(file);
        if (!CLAIMED.add(real)) {
            return null;
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, CREATE, WRITE);
            final FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DiskClaim(real, channel);
            }
        } catch (final OverlappingFileLockException e) {
            throw release(real, channel, failed("lock", file, e));
        } catch (final IOException e) {
            throw release(real, channel, failed("lock", file, e));
        }
        new DiskClaim(real, channel).close();
        return null;
    }

    private static Path realPath(final Path file) {
        final Path absolute = file.toAbsolutePath();
        try {
            return absolute.getParent().toRealPath().resolve(absolute.getFileName());
        } catch (final IOException e) {
            throw failed("lock", file, e);
        }
    }

    private static FileException release(final Path real, final FileChannel channel, final FileException failure) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (final IOException e) {
            failure.addSuppressed(e);
        } finally {
            CLAIMED.remove(real);
        }
        return failure;
    }

    static FileException failed(final String operation, final Path file, final Exception e) {
        return new FileException("can't " + operation + " " + file + ": " + reason(e), e);
    }

    private static String reason(final Exception e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof FileSystemException failed) {
            return failed.getReason() == null ? failed.getClass().getSimpleName() : failed.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static final class DiskClaim implements FileClaim {
        private final Path real;
        private final FileChannel channel;
        private final AtomicBoolean closed = new AtomicBoolean();

        private DiskClaim(final Path real, final FileChannel channel) {
            this.real = real;
            this.channel = channel;
        }

        @Override
        public void close() {
            if (!closed.compareAndSet(false, true)) {
                return;
            }
            try {
                channel.close();
            } catch (final IOException e) {
                throw failed("unlock", real, e);
            } finally {
                CLAIMED.remove(real);
            }
        }
    }
}
