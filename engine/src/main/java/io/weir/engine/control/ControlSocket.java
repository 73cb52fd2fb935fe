package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.FileClaim;
import io.weir.storage.file.FileException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.CloseHelper;

/**
 * The socket of one job's folder. Its own user alone may look into the folder that it lies in:
 *
 * <pre>
 *   FOLDER/control/          mode 0700
 *   FOLDER/control/lock      claimed by the process that listens
 *   FOLDER/control/socket    listened to, mode 0600
 *   FOLDER/control/path      instead of it, where its path were too long for a socket, or the file system takes none: the path of
 *                            the socket in another folder of mode 0700, which lies in java.io.tmpdir
 * </pre>
 */
final class ControlSocket implements AutoCloseable {
    /** The path of a socket has at most some 107 bytes, on some systems 103. */
    private static final int MAX_PATH_LENGTH = 100;

    private static final String FOLDER = "control";
    private static final String LOCK = "lock";
    private static final String SOCKET = "socket";
    private static final String PATH = "path";
    private static final String TEMPORARY = "weir-control-";
    private static final int MAX_PATH_FILE_LENGTH = 4096;
    private static final Set<PosixFilePermission> OWNERS_FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");

    private final Path folder;
    private final FileClaim claim;
    private Path socket;
    private ServerSocketChannel channel;

    private ControlSocket(final Path folder, final FileClaim claim) {
        this.folder = folder;
        this.claim = claim;
    }

    /** Listens in a job's folder; what a dead process has left there is replaced. */
    static ControlSocket open(final Path jobFolder) {
        final Path folder;
        try {
            folder = jobFolder.toRealPath().resolve(FOLDER);
            makeOwn(folder);
        } catch (final IOException e) {
            throw new ControlException("the job of " + jobFolder + " can't be served: " + reason(e), e);
        } catch (final UnsupportedOperationException e) {
            throw new ControlException(
                    "the job of " + jobFolder + " can't be served: its file system knows no POSIX permissions", e);
        }
        FileClaim claim = null;
        try {
            claim = new DiskFileStore().tryClaim(folder.resolve(LOCK));
            if (claim == null) {
                throw new ControlException("the job of " + jobFolder + " is served already");
            }
            final ControlSocket opened = new ControlSocket(folder, claim);
            opened.clear();
            opened.bind();
            return opened;
        } catch (final IOException | FileException e) {
            CloseHelper.close(e::addSuppressed, claim);
            throw new ControlException("the job of " + jobFolder + " can't be served: " + reason(e), e);
        }
    }

    private static void makeOwn(final Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNERS_FOLDER));
        } catch (final FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(folder + " is in the way", e);
            }
            // Only its owner may do this.
            Files.setPosixFilePermissions(folder, OWNERS_FOLDER);
        }
    }

    private void bind() throws IOException {
        IOException notHere = null;
        final Path own = folder.resolve(SOCKET);
        if (length(own) <= MAX_PATH_LENGTH) {
            try {
                listen(own);
                return;
            } catch (final IOException e) {
                // Not every file system takes sockets.
                notHere = e;
            }
        }
        try {
            listen(Files.createTempDirectory(TEMPORARY, PosixFilePermissions.asFileAttribute(OWNERS_FOLDER))
                    .resolve(SOCKET));
            DurableFile.replace(
                    new DiskFileStore(),
                    folder.resolve(PATH),
                    ByteBuffer.wrap(socket.toString().getBytes(UTF_8)));
        } catch (final IOException | FileException e) {
            CloseHelper.close(e::addSuppressed, channel);
            delete(socket);
            if (notHere != null) {
                e.addSuppressed(notHere);
            }
            throw e;
        }
    }

    private void listen(final Path path) throws IOException {
        socket = path;
        channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, OWNERS_FILE);
            channel.configureBlocking(false);
        } catch (final IOException e) {
            CloseHelper.close(e::addSuppressed, channel);
            throw new IOException("no socket can be made at " + path + ": " + reason(e), e);
        }
    }

    private static int length(final Path path) {
        return path.toString().getBytes(UTF_8).length;
    }

    /** Deletes what a dead process has left. */
    private void clear() throws IOException {
        final Path left = folder.resolve(PATH);
        if (Files.exists(left)) {
            final Path other = read(left);
            final Path parent = other.getParent();
            if (parent != null && parent.getFileName().toString().startsWith(TEMPORARY)) {
                delete(other);
            }
            Files.delete(left);
        }
        Files.deleteIfExists(folder.resolve(SOCKET));
    }

    private void delete(final Path path) throws IOException {
        Files.deleteIfExists(path);
        if (!path.startsWith(folder)) {
            Files.deleteIfExists(path.getParent());
        }
    }

    /** Where a job's folder is listened to, or was. */
    static Path find(final Path jobFolder) {
        try {
            final Path folder = jobFolder.toRealPath().resolve(FOLDER);
            final Path elsewhere = folder.resolve(PATH);
            return Files.exists(elsewhere) ? read(elsewhere) : folder.resolve(SOCKET);
        } catch (final IOException | FileException e) {
            throw new ControlException(jobFolder + " can't be looked at: " + reason(e), e);
        }
    }

    private static Path read(final Path file) {
        return Path.of(new String(DurableFile.read(new DiskFileStore(), file, MAX_PATH_FILE_LENGTH), UTF_8));
    }

    ServerSocketChannel channel() {
        return channel;
    }

    Path path() {
        return socket;
    }

    /** Stops listening and deletes the socket. Idempotent. */
    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        try (claim) {
            channel.close();
            delete(socket);
            Files.deleteIfExists(folder.resolve(PATH));
        } catch (final IOException e) {
            throw new ControlException("the socket " + socket + " can't be deleted: " + reason(e), e);
        }
    }

    static String reason(final Exception e) {
        if (e instanceof java.nio.file.NoSuchFileException) {
            return "there is no " + e.getMessage();
        }
        if (e instanceof java.nio.file.AccessDeniedException) {
            return "permission denied: " + e.getMessage();
        }
        return Operation.message(e);
    }
}
