package io.weir.storage.inspect;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.file.FileKind;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.pagefile.PageSegmentReader;
import io.weir.storage.snapshot.Corruption;
import io.weir.storage.snapshot.CorruptionException;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentSurvey;
import io.weir.storage.snapshot.SnapshotException;
import io.weir.storage.state.KeyGroups;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One checkpoint, open to be looked at: all its files are open, so that it can be read to its end although the job may delete it
 * meanwhile. All blocks of all files have been compared. What is damaged is told of and left out. One thread at a time; may block.
 */
public final class CheckpointInspection implements AutoCloseable {
    private static final int MAX_TRIES = 20;

    private final CheckpointFolder folder;
    private final long checkpointId;
    private final Damages damages = new Damages();
    private final List<Runnable> readers = new ArrayList<>();
    private final List<Tables> visitors = new ArrayList<>();
    private final List<InspectedTask> tasks = new ArrayList<>();
    private final Map<String, OwnSegment> owns = new HashMap<>();
    /** Whether the shared segments that were looked at are intact. */
    private final Map<String, Boolean> verified = new HashMap<>();

    private final Set<String> looked = new HashSet<>();

    private Manifest manifest;

    private CheckpointInspection(final CheckpointFolder folder, final long checkpointId) {
        this.folder = folder;
        this.checkpointId = checkpointId;
    }

    /**
     * Opens a checkpoint.
     *
     * @param folder of the job.
     * @param checkpointId of a completed checkpoint; its manifest may be damaged.
     * @return the open checkpoint.
     * @throws CheckpointStorageException if it is not there, not completed, or vanishes meanwhile.
     */
    public static CheckpointInspection open(final CheckpointFolder folder, final long checkpointId) {
        if (!folder.isCompleted(checkpointId)) {
            throw new CheckpointStorageException("checkpoint " + checkpointId + " in " + folder.path() + " is "
                    + (folder.isThere(checkpointId) ? "not completed" : "not there") + "; completed are "
                    + folder.checkpoints().stream().filter(folder::isCompleted).toList());
        }
        final CheckpointInspection inspection = tryOpen(folder, checkpointId);
        if (inspection == null) {
            throw new CheckpointStorageException("checkpoint " + checkpointId + " in " + folder.path()
                    + " was deleted while it was being read; completed are "
                    + folder.checkpoints().stream().filter(folder::isCompleted).toList());
        }
        return inspection;
    }

    /**
     * Opens the newest completed checkpoint. If the job deletes that meanwhile, there is a newer one.
     *
     * @param folder of the job.
     * @return the open checkpoint, null if none is completed.
     * @throws CheckpointStorageException if one after the other vanishes.
     */
    public static CheckpointInspection openNewest(final CheckpointFolder folder) {
        long newest = 0;
        for (int i = 0; i < MAX_TRIES; i++) {
            newest = folder.checkpoints().stream()
                    .filter(folder::isCompleted)
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
            if (newest == 0) {
                return null;
            }
            final CheckpointInspection inspection = tryOpen(folder, newest);
            if (inspection != null) {
                return inspection;
            }
        }
        throw new CheckpointStorageException("checkpoint " + newest + " in " + folder.path()
                + " was deleted while it was being read, as were those before it; keep more checkpoints");
    }

    /** Null if the checkpoint has vanished. */
    private static CheckpointInspection tryOpen(final CheckpointFolder folder, final long checkpointId) {
        final CheckpointInspection inspection = new CheckpointInspection(folder, checkpointId);
        try {
            inspection.readManifest();
            final List<Opened> opened = inspection.manifest == null ? inspection.openFound() : inspection.openAll();
            if (inspection.isVanished()) {
                inspection.close();
                return null;
            }
            opened.forEach(inspection::look);
            return inspection;
        } catch (final RuntimeException e) {
            inspection.close();
            throw e;
        }
    }

    /** Whether something was not there that the manifest named, and now that is gone too. */
    private boolean isVanished() {
        return damages.told() > 0 && !folder.isCompleted(checkpointId);
    }

    private void readManifest() {
        try {
            manifest = folder.load(checkpointId);
        } catch (final CorruptionException | SnapshotException e) {
            damages.add(e);
        }
    }

    private List<Opened> openAll() {
        final List<Opened> opened = new ArrayList<>();
        for (final Manifest.TaskPart part : manifest.tasks()) {
            final List<SharedFile> chain = new ArrayList<>();
            part.shared().forEach(segment -> chain.add(new SharedFile(segment, openShared(segment))));
            final OwnSegment own = part.segment() == null ? null : openOwn(part.segment());
            opened.add(new Opened(part.vertexUid() + "/" + part.subtask(), part, own, file(part), chain));
        }
        return opened;
    }

    private static InspectedFile file(final Manifest.TaskPart part) {
        final SegmentHandle segment = part.segment();
        return segment == null ? null : new InspectedFile(segment.file(), segment.length(), segment.entries(), true);
    }

    /** Without a manifest: what lies in the checkpoint's folder. */
    private List<Opened> openFound() {
        final List<Opened> opened = new ArrayList<>();
        for (final Path path : folder.segments(checkpointId)) {
            final OwnSegment own = openOwn(path, null);
            if (own != null) {
                final String name = folder.path().relativize(path).toString();
                opened.add(new Opened(
                        path.getFileName().toString(),
                        null,
                        own,
                        new InspectedFile(name, own.bytes(), -1, true),
                        List.of()));
            }
        }
        return opened;
    }

    private OwnSegment openOwn(final SegmentHandle segment) {
        try {
            final Path path = folder.path(manifest, segment);
            if (folder.files().kind(path) == FileKind.ABSENT) {
                throw Corruption.at(path.toString(), 0, "a segment of " + segment.length() + " bytes", "no file");
            }
            return openOwn(path, segment);
        } catch (final CorruptionException e) {
            damages.add(e);
            return null;
        }
    }

    private OwnSegment openOwn(final Path path, final SegmentHandle segment) {
        final int before = damages.told();
        try {
            final SegmentSurvey survey = SegmentSurvey.open(folder.files(), path, segment, damages::add);
            final OwnSegment own = new OwnSegment(survey, damages, damages.told() == before);
            readers.add(own::close);
            return own;
        } catch (final SnapshotException e) {
            damages.add(e);
            return null;
        }
    }

    private PageSegmentReader openShared(final SegmentHandle segment) {
        final int before = damages.told();
        try {
            final PageSegmentReader reader = PageSegmentReader.openTolerantly(
                    folder.files(), folder.path(manifest, segment), segment, damages::add);
            readers.add(reader::close);
            verified.merge(segment.file(), damages.told() == before, Boolean::logicalAnd);
            return reader;
        } catch (final CorruptionException | SnapshotException e) {
            damages.add(e);
            verified.put(segment.file(), false);
            return null;
        }
    }

    private void look(final Opened opened) {
        final List<InspectedTable> tables = new ArrayList<>();
        final List<InspectedSection> sections = new ArrayList<>();
        boolean isOwnIntact = opened.own != null && opened.own.isIntact();
        if (opened.own != null) {
            final int before = damages.told();
            opened.own.addTo(tables, sections);
            isOwnIntact &= damages.told() == before;
            visitors.add(opened.own::forEach);
            owns.put(opened.name, opened.own);
        }
        int first = 0;
        int end = 0;
        if (opened.part != null) {
            final int subtask = opened.part.subtask();
            first = KeyGroups.first(subtask, manifest.maxParallelism(), opened.part.parallelism());
            end = KeyGroups.first(subtask + 1, manifest.maxParallelism(), opened.part.parallelism());
        }
        final List<InspectedFile> chain = new ArrayList<>();
        for (final SharedFile file : opened.chain) {
            final SegmentHandle segment = file.handle;
            chain.add(new InspectedFile(segment.file(), segment.length(), segment.entries(), isIntact(file)));
        }
        lookIntoChain(opened, first, end, tables);
        final InspectedFile own = opened.file;
        tasks.add(new InspectedTask(
                opened.name,
                opened.part,
                first,
                end,
                own == null ? null : new InspectedFile(own.name(), own.bytes(), own.entries(), isOwnIntact),
                chain,
                tables,
                sections));
    }

    /** Compares all of a shared segment, once for all tasks. */
    private boolean isIntact(final SharedFile file) {
        final String name = file.handle.file();
        if (file.reader != null && looked.add(name)) {
            final int before = damages.told();
            file.reader.verify(damages::add);
            verified.merge(name, damages.told() == before, Boolean::logicalAnd);
        }
        return verified.get(name);
    }

    private void lookIntoChain(
            final Opened opened, final int firstKeyGroup, final int endKeyGroup, final List<InspectedTable> tables) {
        if (opened.chain.isEmpty() || opened.chain.stream().anyMatch(file -> file.reader == null)) {
            // Which pages a segment had that can't be read, nobody knows, so nothing is known of any.
            return;
        }
        try {
            final PageChain pages =
                    new PageChain(opened.chain.stream().map(SharedFile::reader).toList());
            final SharedChain chain = new SharedChain(pages, firstKeyGroup, endKeyGroup, damages);
            chain.addTo(tables);
            visitors.add(chain::forEach);
        } catch (final CorruptionException e) {
            damages.add(e);
        }
    }

    /**
     * The folder.
     *
     * @return of the job.
     */
    public CheckpointFolder folder() {
        return folder;
    }

    /**
     * The checkpoint.
     *
     * @return its id.
     */
    public long checkpointId() {
        return checkpointId;
    }

    /**
     * What the checkpoint says of itself.
     *
     * @return null if that is damaged.
     */
    public Manifest manifest() {
        return manifest;
    }

    /**
     * The tasks' parts, as far as they are intact. Where the manifest is damaged: one for each segment in the checkpoint's folder.
     *
     * @return in the manifest's order.
     */
    public List<InspectedTask> tasks() {
        return List.copyOf(tasks);
    }

    /**
     * What is damaged. May grow with {@link #forEach}, if a file changes meanwhile.
     *
     * @return messages that name file, offset, expected and found; empty if all is intact.
     */
    public List<String> damages() {
        return damages.messages();
    }

    /**
     * The names of all states and timers.
     *
     * @return sorted.
     */
    public List<String> tableNames() {
        final TreeSet<String> names = new TreeSet<>();
        tasks.forEach(task -> task.tables().forEach(table -> names.add(table.name())));
        return List.copyOf(names);
    }

    /**
     * Visits the intact entries of a state, or timers, task by task.
     *
     * @param name one of {@link #tableNames()}; others have no entries.
     * @param visitor that takes the entries; those of a key group follow each other in no particular order.
     */
    public void forEach(final String name, final EntryVisitor visitor) {
        visitors.forEach(table -> table.forEach(name, visitor));
    }

    /**
     * Visits the intact entries of a section that is neither a state by key nor timers, as they were written.
     *
     * @param task name of the task.
     * @param section name of the section; others have no entries.
     * @param visitor that takes the entries, in their order.
     */
    public void forEachOfSection(final String task, final String section, final SegmentReader.Visitor visitor) {
        final OwnSegment own = owns.get(task);
        if (own != null) {
            own.forEachOfSection(section, visitor);
        }
    }

    /** Closes all files. Idempotent. */
    @Override
    public void close() {
        readers.forEach(Runnable::run);
        readers.clear();
    }

    @FunctionalInterface
    private interface Tables {
        void forEach(String name, EntryVisitor visitor);
    }

    /** A task's part whose files are open; {@code own} is null if it can't be read. */
    private record Opened(
            String name, Manifest.TaskPart part, OwnSegment own, InspectedFile file, List<SharedFile> chain) {}

    /** A shared segment; {@code reader} is null if it can't be read. */
    private record SharedFile(SegmentHandle handle, PageSegmentReader reader) {}
}
