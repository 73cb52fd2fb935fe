package io.weir.storage.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A disk for tests and simulation, in memory and seeded: on a crash it loses or tears what was not forced, names as well as bytes; it runs
 * full, fails a chosen operation, or dies before or after it. Every operation but closing counts as one.
 *
 * <p>After a crash every operation throws {@link SimulatedCrash} until {@link #restart}; closing is always allowed.
 */
public final class SimulatedFileStore implements FileStore {
    private static final long NEVER = Long.MAX_VALUE;

    private final SplittableRandom random;
    private final Directory root = new Directory();
    private final List<NameChange> unforced = new ArrayList<>();
    private final Set<Path> claimed = new HashSet<>();
    private int incarnation;
    private boolean dead;
    private long operations;
    private long crashBefore = NEVER;
    private long crashAfter = NEVER;
    private long failAt = NEVER;
    private long changes;
    private long actAtChange = NEVER;
    private Runnable atChange;
    private long capacity = Long.MAX_VALUE;
    private long failures;
    private long losses;

    /**
     * Makes an empty disk that holds the root directory.
     *
     * @param seed decides what a crash loses.
     */
    public SimulatedFileStore(final long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Counts what was done.
     *
     * @return operations since the disk was made.
     */
    public synchronized long operations() {
        return operations;
    }

    /**
     * Counts what went wrong.
     *
     * @return operations that failed, and writes that found no room, since the disk was made.
     */
    public synchronized long failures() {
        return failures;
    }

    /**
     * Counts what crashes have lost.
     *
     * @return names that were not forced and went back, and files that did not keep all their bytes, since the disk was made.
     */
    public synchronized long losses() {
        return losses;
    }

    /**
     * Whether the machine has died and not been restarted.
     *
     * @return true from a planned crash, or {@link #die}, to {@link #crash} or {@link #kill}.
     */
    public synchronized boolean isDead() {
        return dead;
    }

    /** Lets every operation from now on throw {@link SimulatedCrash}, until {@link #crash} or {@link #kill}. */
    public synchronized void die() {
        dead = true;
    }

    /**
     * Lets the machine die before an operation takes effect.
     *
     * @param n counted from now, the next one is 1.
     */
    public synchronized void crashBefore(final long n) {
        crashBefore = operations + n;
    }

    /**
     * Lets the machine die right after an operation took effect, before its caller hears of it.
     *
     * @param n counted from now, the next one is 1.
     */
    public synchronized void crashAfter(final long n) {
        crashAfter = operations + n;
    }

    /**
     * Lets one operation fail with a {@link FileException}. A force of a file that fails has
     * lost what it should have forced; names stay unforced, as a file system with a journal keeps them or dies.
     *
     * @param n counted from now, the next one is 1.
     */
    public synchronized void failAt(final long n) {
        failAt = operations + n;
    }

    /**
     * Counts what was changed or forced, or tried to.
     *
     * @return changes since the disk was made, which are the steps that a crash can come between.
     */
    public synchronized long changes() {
        return changes;
    }

    /**
     * Has something happen right before a change or force takes effect, such as a crash or that the disk is full.
     *
     * @param n counted from now, the next one is 1.
     * @param what happens then, once; may call this disk.
     */
    public synchronized void beforeChange(final long n, final Runnable what) {
        actAtChange = changes + n;
        atChange = what;
    }

    private void announceChange() {
        if (!dead && ++changes == actAtChange) {
            atChange.run();
        }
    }

    /** Calls off all planned crashes and failures. */
    public synchronized void calm() {
        actAtChange = NEVER;
        crashBefore = NEVER;
        crashAfter = NEVER;
        failAt = NEVER;
    }

    /**
     * Bounds the disk.
     *
     * @param bytes that all files together may have.
     */
    public synchronized void capacity(final long bytes) {
        capacity = bytes;
    }

    /**
     * Measures the disk.
     *
     * @return bytes of all files together.
     */
    public synchronized long usedBytes() {
        return root.usedBytes();
    }

    /** The machine dies: what was not forced is lost, torn or kept as the seed wills. Restarts at once. */
    public synchronized void crash() {
        final Iterator<NameChange> changes = unforced.iterator();
        while (changes.hasNext()) {
            final NameChange change = changes.next();
            if (random.nextBoolean()) {
                change.makeDurable();
            } else {
                losses++;
            }
            changes.remove();
        }
        losses += root.crash(random);
        restart();
    }

    /** The machine dies: all that was not forced is lost. Restarts at once. */
    public synchronized void crashLosingAll() {
        losses += unforced.size();
        unforced.clear();
        losses += root.crash(null);
        restart();
    }

    /** Only the process dies (kill -9): claims and open files are gone, bytes and names stay, forced or not. Restarts. */
    public synchronized void kill() {
        restart();
    }

    private void restart() {
        calm();
        claimed.clear();
        incarnation++;
        dead = false;
    }

    /**
     * Flips bits of a file, durably, as a failing disk would.
     *
     * @param file to damage.
     * @param position of the byte.
     * @param mask of the bits to flip.
     */
    public synchronized void damage(final Path file, final long position, final int mask) {
        final SimulatedFile found = file("damage", file);
        final ByteBuffer one = ByteBuffer.allocate(1);
        found.content.read(position, one);
        one.put(0, (byte) (one.get(0) ^ mask)).flip();
        found.content.write(position, one);
        found.force();
    }

    /**
     * Runs one operation through the planned faults.
     *
     * @param operation in words.
     * @param action the operation.
     */
    private void run(final String operation, final Runnable action, final Runnable onFailure) {
        announceChange();
        begin(operation, onFailure);
        action.run();
        end(operation);
    }

    private void begin(final String operation, final Runnable onFailure) {
        if (dead) {
            throw new SimulatedCrash(operation);
        }
        operations++;
        if (operations == crashBefore) {
            dead = true;
            throw new SimulatedCrash("before operation " + operations + ", " + operation);
        }
        if (operations == failAt) {
            failures++;
            onFailure.run();
            throw new FileException("can't " + operation + ": the simulated disk failed at operation " + operations);
        }
    }

    private void end(final String operation) {
        if (operations == crashAfter) {
            dead = true;
            throw new SimulatedCrash("after operation " + operations + ", " + operation);
        }
    }

    private static void nothing() {
        // Most operations that fail leave everything as it was.
    }

    @Override
    public synchronized FileKind kind(final Path path) {
        begin("look at " + path, SimulatedFileStore::nothing);
        end("look at " + path);
        return kindOf(find(path));
    }

    private static FileKind kindOf(final Node node) {
        if (node == null) {
            return FileKind.ABSENT;
        }
        return node instanceof Directory ? FileKind.DIRECTORY : FileKind.FILE;
    }

    @Override
    public synchronized List<String> list(final Path directory) {
        begin("list " + directory, SimulatedFileStore::nothing);
        end("list " + directory);
        return List.copyOf(directory("list", directory).current.keySet());
    }

    @Override
    public synchronized OpenFile create(final Path file) {
        run("create " + file, () -> add("create", file, new SimulatedFile()), SimulatedFileStore::nothing);
        return new Handle(file, file("create", file), true);
    }

    @Override
    public synchronized OpenFile open(final Path file) {
        begin("open " + file, SimulatedFileStore::nothing);
        final OpenFile open = new Handle(file, file("open", file), true);
        end("open " + file);
        return open;
    }

    @Override
    public synchronized OpenFile openReadOnly(final Path file) {
        begin("open for reading " + file, SimulatedFileStore::nothing);
        final OpenFile open = new Handle(file, file("open for reading", file), false);
        end("open for reading " + file);
        return open;
    }

    @Override
    public synchronized void createDirectory(final Path directory) {
        run(
                "create directory " + directory,
                () -> add("create directory", directory, new Directory()),
                SimulatedFileStore::nothing);
    }

    private void add(final String operation, final Path path, final Node node) {
        final Directory parent = directory(operation, normal(path).getParent());
        check(!parent.current.containsKey(name(path)), operation, path, "the name is taken");
        change(new NameChange().set(parent, name(path), node));
    }

    @Override
    public synchronized void rename(final Path from, final Path to) {
        run("rename " + from + " to " + to, () -> renameNow(from, to), SimulatedFileStore::nothing);
    }

    private void renameNow(final Path from, final Path to) {
        final Node node = find(from);
        check(node instanceof SimulatedFile, "rename to " + to, from, "no such file");
        check(!(find(to) instanceof Directory), "rename to " + to, from, "the name is taken by a directory");
        final Directory source = directory("rename", normal(from).getParent());
        final Directory target = directory("rename", normal(to).getParent());
        change(new NameChange().set(source, name(from), null).set(target, name(to), node));
    }

    @Override
    public synchronized boolean delete(final Path path) {
        announceChange();
        begin("delete " + path, SimulatedFileStore::nothing);
        final Node node = find(path);
        if (node instanceof Directory directory) {
            check(directory.current.isEmpty(), "delete", path, "the directory is not empty");
        }
        if (node != null) {
            change(new NameChange().set(directory("delete", normal(path).getParent()), name(path), null));
        }
        end("delete " + path);
        return node != null;
    }

    private void change(final NameChange change) {
        change.apply();
        unforced.add(change);
    }

    @Override
    public synchronized void forceDirectory(final Path directory) {
        run("force directory " + directory, () -> forceNow(directory), SimulatedFileStore::nothing);
    }

    private void forceNow(final Path path) {
        final Directory directory = directory("force directory", path);
        unforced.removeIf(change -> {
            final boolean touches = change.touches(directory);
            if (touches) {
                change.makeDurable();
            }
            return touches;
        });
    }

    @Override
    public synchronized FileClaim tryClaim(final Path file) {
        announceChange();
        begin("lock " + file, SimulatedFileStore::nothing);
        if (find(file) == null) {
            add("lock", file, new SimulatedFile());
        }
        end("lock " + file);
        final Path normal = normal(file);
        if (!claimed.add(normal)) {
            return null;
        }
        return new Claim(normal);
    }

    private static Path normal(final Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static String name(final Path path) {
        return normal(path).getFileName().toString();
    }

    private Node find(final Path path) {
        Node node = root;
        for (final Path part : normal(path)) {
            if (!(node instanceof Directory directory)) {
                return null;
            }
            node = directory.current.get(part.toString());
        }
        return node;
    }

    private Directory directory(final String operation, final Path path) {
        if (find(path) instanceof Directory directory) {
            return directory;
        }
        throw new FileException("can't " + operation + " " + path + ": no such directory");
    }

    private SimulatedFile file(final String operation, final Path path) {
        if (find(path) instanceof SimulatedFile file) {
            return file;
        }
        throw new FileException("can't " + operation + " " + path + ": no such file");
    }

    private static void check(final boolean holds, final String operation, final Path path, final String reason) {
        if (!holds) {
            throw new FileException("can't " + operation + " " + path + ": " + reason);
        }
    }

    /** A file or a directory. */
    private sealed interface Node permits Directory, SimulatedFile {}

    private static final class Directory implements Node {
        private final TreeMap<String, Node> current = new TreeMap<>();
        private final TreeMap<String, Node> durable = new TreeMap<>();

        /** Gives back how many files have lost bytes; without a random all lose what was not forced. */
        private long crash(final SplittableRandom random) {
            long losses = 0;
            current.clear();
            current.putAll(durable);
            for (final Node node : current.values()) {
                if (node instanceof Directory directory) {
                    losses += directory.crash(random);
                } else if (node instanceof SimulatedFile file && file.crash(random)) {
                    losses++;
                }
            }
            return losses;
        }

        private long usedBytes() {
            long sum = 0;
            for (final Node node : current.values()) {
                sum += node instanceof Directory directory
                        ? directory.usedBytes()
                        : ((SimulatedFile) node).content.size();
            }
            return sum;
        }
    }

    /** Names that change together: a rename is two. */
    private static final class NameChange {
        private final List<Directory> directories = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();

        private NameChange set(final Directory directory, final String name, final Node node) {
            directories.add(directory);
            names.add(name);
            nodes.add(node);
            return this;
        }

        private boolean touches(final Directory directory) {
            return directories.contains(directory);
        }

        private void apply() {
            for (int i = 0; i < names.size(); i++) {
                put(directories.get(i).current, names.get(i), nodes.get(i));
            }
        }

        private void makeDurable() {
            for (int i = 0; i < names.size(); i++) {
                put(directories.get(i).durable, names.get(i), nodes.get(i));
            }
        }

        private static void put(final Map<String, Node> map, final String name, final Node node) {
            if (node == null) {
                map.remove(name);
            } else {
                map.put(name, node);
            }
        }
    }

    /** A file's bytes as the process sees them and as the disk keeps them, by sector. */
    private static final class SimulatedFile implements Node {
        private static final int SECTOR = 512;

        private MemoryFile content = new MemoryFile();
        private byte[] durable = new byte[0];
        private byte[] lost;

        private void force() {
            final byte[] now = content.copy();
            for (int sector = 0; lost != null && sector < Math.min(now.length, lost.length); sector += SECTOR) {
                final int end = Math.min(sector + SECTOR, Math.min(now.length, lost.length));
                if (Arrays.equals(now, sector, end, lost, sector, end)) {
                    copySector(durable, now, sector, end);
                }
            }
            durable = now;
        }

        private void failForce() {
            lost = content.copy();
        }

        /** Gives back whether bytes were lost. */
        private boolean crash(final SplittableRandom random) {
            final byte[] now = content.copy();
            if (random != null) {
                durable = torn(now, random);
            }
            lost = null;
            content = new MemoryFile();
            content.write(0, ByteBuffer.wrap(durable));
            return !Arrays.equals(durable, now);
        }

        /** Of each sector what it was or what it is, and of the length something in between. */
        private byte[] torn(final byte[] now, final SplittableRandom random) {
            final int shorter = Math.min(now.length, durable.length);
            final int longer = Math.max(now.length, durable.length);
            final byte[] kept = new byte[shorter + random.nextInt(longer - shorter + 1)];
            for (int sector = 0; sector < kept.length; sector += SECTOR) {
                copySector(random.nextBoolean() ? now : durable, kept, sector, Math.min(sector + SECTOR, kept.length));
            }
            return kept;
        }

        private static void copySector(final byte[] from, final byte[] to, final int start, final int end) {
            Arrays.fill(to, start, end, (byte) 0);
            if (start < from.length) {
                System.arraycopy(from, start, to, start, Math.min(end, from.length) - start);
            }
        }
    }

    private final class Claim implements FileClaim {
        private final Path file;
        private final int born = incarnation;
        private boolean closed;

        private Claim(final Path file) {
            this.file = file;
        }

        @Override
        public void close() {
            synchronized (SimulatedFileStore.this) {
                if (!closed && born == incarnation) {
                    claimed.remove(file);
                }
                closed = true;
            }
        }
    }

    private final class Handle implements OpenFile {
        private final Path path;
        private final SimulatedFile file;
        private final boolean writable;
        private final int born = incarnation;
        private boolean closed;

        private Handle(final Path path, final SimulatedFile file, final boolean writable) {
            this.path = path;
            this.file = file;
            this.writable = writable;
        }

        @Override
        public Path path() {
            return path;
        }

        private void beginHere(final String operation, final Runnable onFailure) {
            if (born != incarnation) {
                throw new SimulatedCrash(operation + " " + path + ", which was open when the machine died");
            }
            begin(operation + " " + path, onFailure);
            check(!closed, operation, path, "it is closed");
        }

        @Override
        public long size() {
            synchronized (SimulatedFileStore.this) {
                beginHere("get the size of", SimulatedFileStore::nothing);
                end("get the size of " + path);
                return file.content.size();
            }
        }

        @Override
        public int read(final long position, final ByteBuffer target) {
            synchronized (SimulatedFileStore.this) {
                beginHere("read", SimulatedFileStore::nothing);
                end("read " + path);
                return file.content.read(position, target);
            }
        }

        @Override
        public void write(final long position, final ByteBuffer source) {
            synchronized (SimulatedFileStore.this) {
                beginWrite("write");
                final long room = room(position + source.remaining());
                final int fits = (int) Math.max(0, Math.min(source.remaining(), room - position));
                final ByteBuffer part = source.duplicate();
                part.limit(part.position() + fits);
                file.content.write(position, part);
                checkFits("write", fits == source.remaining());
                source.position(source.limit());
                end("write " + path);
            }
        }

        @Override
        public void allocate(final long length) {
            synchronized (SimulatedFileStore.this) {
                beginWrite("allocate");
                final long room = room(length);
                file.content.grow(Math.min(room, length));
                checkFits("allocate", room >= length);
                end("allocate " + path);
            }
        }

        private void beginWrite(final String operation) {
            announceChange();
            beginHere(operation, SimulatedFileStore::nothing);
            check(writable, operation, path, "it is open for reading only");
        }

        /** How long the file may be, if it is to be that long. */
        private long room(final long length) {
            final long size = file.content.size();
            return length <= size || capacity == Long.MAX_VALUE
                    ? length
                    : Math.max(size, size + capacity - root.usedBytes());
        }

        private void checkFits(final String operation, final boolean fits) {
            if (!fits) {
                failures++;
            }
            check(fits, operation, path, "no space left on the simulated disk");
        }

        @Override
        public void truncate(final long length) {
            synchronized (SimulatedFileStore.this) {
                beginWrite("truncate");
                file.content.truncate(length);
                end("truncate " + path);
            }
        }

        @Override
        public FileMapping map(final long position, final int length) {
            synchronized (SimulatedFileStore.this) {
                beginHere("map", SimulatedFileStore::nothing);
                final FileMapping mapping = new Mapped(this, file.content.map(position, length));
                end("map " + path);
                return mapping;
            }
        }

        @Override
        public void force() {
            synchronized (SimulatedFileStore.this) {
                announceChange();
                beginHere("force", file::failForce);
                file.force();
                end("force " + path);
            }
        }

        @Override
        public void close() {
            synchronized (SimulatedFileStore.this) {
                closed = true;
            }
        }
    }

    private final class Mapped implements FileMapping {
        private final Handle handle;
        private final MemoryFile.Mapping mapping;

        private Mapped(final Handle handle, final MemoryFile.Mapping mapping) {
            this.handle = handle;
            this.mapping = mapping;
        }

        @Override
        public UnsafeBuffer buffer() {
            return mapping.buffer();
        }

        @Override
        public void force() {
            synchronized (SimulatedFileStore.this) {
                if (handle.born != incarnation) {
                    throw new SimulatedCrash("force a mapping of " + handle.path);
                }
                announceChange();
                begin("force a mapping of " + handle.path, handle.file::failForce);
                handle.file.force();
                end("force a mapping of " + handle.path);
            }
        }

        @Override
        public void close() {
            synchronized (SimulatedFileStore.this) {
                mapping.close();
            }
        }
    }
}
