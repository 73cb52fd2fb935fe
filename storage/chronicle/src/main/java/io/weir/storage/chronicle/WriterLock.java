package io.weir.storage.chronicle;

import io.weir.storage.log.LogException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Lets one process write to a queue. The operating system takes the lock back when the process ends, however it ends. */
final class WriterLock implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;

    private WriterLock(final Path file, final FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static WriterLock acquire(final Path file) {
        try {
            final FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new LogException(file + " is locked: another process, or another log object of this one, writes");
            }
            return new WriterLock(file, channel);
        } catch (final IOException ex) {
            throw new LogException(file + " can't be locked: " + ex, ex);
        }
    }

    private static boolean isLocked(final FileChannel channel) throws IOException {
        try {
            final FileLock lock = channel.tryLock();
            return lock != null;
        } catch (final OverlappingFileLockException ex) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException ex) {
            throw new LogException(file + " can't be unlocked: " + ex, ex);
        }
    }
}
