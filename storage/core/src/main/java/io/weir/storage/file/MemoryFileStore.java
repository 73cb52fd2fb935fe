package io.weir.storage.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A disk in memory: forgets everything with the process. Any thread. Holds the root directory at first. */
public final class MemoryFileStore implements FileStore {
    private static final MemoryFile DIRECTORY = new MemoryFile();

    private final TreeMap<Path, MemoryFile> nodes = new TreeMap<>();
    private final Set<Path> claimed = new HashSet<>();

    /** Makes an empty disk. */
    public MemoryFileStore() {
        nodes.put(normal(Path.of("/")), DIRECTORY);
    }

    private static Path normal(final Path path) {
        return path.toAbsolutePath().normalize();
    }

    @Override
    public synchronized FileKind kind(final Path path) {
        final MemoryFile node = nodes.get(normal(path));
        if (node == null) {
            return FileKind.ABSENT;
        }
        return node == DIRECTORY ? FileKind.DIRECTORY : FileKind.FILE;
    }

    @Override
    public synchronized List<String> list(final Path directory) {
        check(kind(directory) == FileKind.DIRECTORY, "list", directory, "not a directory");
        final Path normal = normal(directory);
        return nodes.keySet().stream()
                .filter(path -> normal.equals(path.getParent()))
                .map(path -> path.getFileName().toString())
                .sorted()
                .toList();
    }

    @Override
    public synchronized OpenFile create(final Path file) {
        add("create", file, new MemoryFile());
        return open(file);
    }

    @Override
    public synchronized OpenFile open(final Path file) {
        check(kind(file) == FileKind.FILE, "open", file, "no such file");
        return new Handle(file, nodes.get(normal(file)));
    }

    @Override
    public OpenFile openReadOnly(final Path file) {
        return open(file);
    }

    @Override
    public synchronized void createDirectory(final Path directory) {
        add("create directory", directory, DIRECTORY);
    }

    private void add(final String operation, final Path path, final MemoryFile node) {
        final Path normal = normal(path);
        check(!nodes.containsKey(normal), operation, path, "the name is taken");
        check(kind(normal.getParent()) == FileKind.DIRECTORY, operation, path, "no such directory");
        nodes.put(normal, node);
    }

    @Override
    public synchronized void rename(final Path from, final Path to) {
        check(kind(from) == FileKind.FILE, "rename to " + to, from, "no such file");
        check(kind(to) != FileKind.DIRECTORY, "rename to " + to, from, "the name is taken by a directory");
        check(kind(normal(to).getParent()) == FileKind.DIRECTORY, "rename to " + to, from, "no such directory");
        nodes.put(normal(to), nodes.remove(normal(from)));
    }

    @Override
    public synchronized boolean delete(final Path path) {
        if (kind(path) == FileKind.DIRECTORY) {
            check(list(path).isEmpty(), "delete", path, "the directory is not empty");
        }
        return nodes.remove(normal(path)) != null;
    }

    @Override
    public synchronized void forceDirectory(final Path directory) {
        check(kind(directory) == FileKind.DIRECTORY, "force directory", directory, "not a directory");
    }

    @Override
    public synchronized FileClaim tryClaim(final Path file) {
        if (kind(file) == FileKind.ABSENT) {
            create(file).close();
        }
        final Path normal = normal(file);
        return claimed.add(normal) ? new Claim(normal) : null;
    }

    private static void check(final boolean holds, final String operation, final Path path, final String reason) {
        if (!holds) {
            throw new FileException("can't " + operation + " " + path + ": " + reason);
        }
    }

    private final class Claim implements FileClaim {
        private final Path file;
        private boolean closed;

        private Claim(final Path file) {
            this.file = file;
        }

        @Override
        public void close() {
            synchronized (MemoryFileStore.this) {
                if (!closed) {
                    closed = true;
                    claimed.remove(file);
                }
            }
        }
    }

    private final class Handle implements OpenFile {
        private final Path path;
        private final MemoryFile file;
        private boolean closed;

        private Handle(final Path path, final MemoryFile file) {
            this.path = path;
            this.file = file;
        }

        private MemoryFile live(final String operation) {
            check(!closed, operation, path, "it is closed");
            return file;
        }

        @Override
        public Path path() {
            return path;
        }

        @Override
        public long size() {
            synchronized (MemoryFileStore.this) {
                return live("get the size of").size();
            }
        }

        @Override
        public int read(final long position, final ByteBuffer target) {
            synchronized (MemoryFileStore.this) {
                return live("read").read(position, target);
            }
        }

        @Override
        public void write(final long position, final ByteBuffer source) {
            synchronized (MemoryFileStore.this) {
                live("write").write(position, source);
            }
        }

        @Override
        public void allocate(final long length) {
            synchronized (MemoryFileStore.this) {
                live("allocate").grow(length);
            }
        }

        @Override
        public void truncate(final long length) {
            synchronized (MemoryFileStore.this) {
                live("truncate").truncate(length);
            }
        }

        @Override
        public FileMapping map(final long position, final int length) {
            synchronized (MemoryFileStore.this) {
                final MemoryFile.Mapping mapping = live("map").map(position, length);
                return new FileMapping() {
                    @Override
                    public org.agrona.concurrent.UnsafeBuffer buffer() {
                        return mapping.buffer();
                    }

                    @Override
                    public void force() {
                        // Memory has no disk behind it.
                    }

                    @Override
                    public void close() {
                        synchronized (MemoryFileStore.this) {
                            mapping.close();
                        }
                    }
                };
            }
        }

        @Override
        public void force() {
            live("force");
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
