package io.weir.storage.page;

import io.weir.storage.file.FileException;
import io.weir.storage.pagefile.PageChain;
import io.weir.storage.pagefile.PageSegmentReader;
import io.weir.storage.pagefile.PageSegmentWriter;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SharedSegments;
import io.weir.storage.snapshot.SharedSegments.Location;
import io.weir.storage.snapshot.SnapshotException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The segments that are a task's state at its last flush, oldest first. Writes the next one, and keeps their number and bytes
 * in bounds by merging. I/O thread, one flush at a time.
 */
final class SegmentChain {
    private static final System.Logger LOGGER = System.getLogger(SegmentChain.class.getName());

    private final SharedSegments shared;
    private final int firstKeyGroup;
    private final int endKeyGroup;
    private final PagesSettings settings;
    private final MergePolicy policy;
    private final List<RestoredPart> restored = new ArrayList<>();
    private final List<SegmentHandle> segments = new ArrayList<>();

    /** What the segments say of each table, by section. */
    private final Map<String, String> attributes = new HashMap<>();

    /** Sections of tables that are in what was restored and not in the state. */
    private final Set<String> dropped = new HashSet<>();

    private boolean hasForeignTables;

    SegmentChain(
            final SharedSegments shared, final int firstKeyGroup, final int endKeyGroup, final PagesSettings settings) {
        this.shared = shared;
        this.firstKeyGroup = firstKeyGroup;
        this.endKeyGroup = endKeyGroup;
        this.settings = settings;
        policy = new MergePolicy(settings.mergeFactor());
    }

    /**
     * Adds the chain of a task whose part of a checkpoint is restored. Before the first flush.
     *
     * @param chain of the task, oldest first.
     * @param partFirst of the key groups the task owned.
     * @param partEnd behind the last of them.
     * @param tables tells by its name whether a table is taken.
     */
    void restore(
            final List<SegmentHandle> chain, final int partFirst, final int partEnd, final Predicate<String> tables) {
        if (partFirst < endKeyGroup && firstKeyGroup < partEnd) {
            restored.add(new RestoredPart(chain, partFirst, partEnd, tables));
        }
    }

    private record RestoredPart(
            List<SegmentHandle> chain, int firstKeyGroup, int endKeyGroup, Predicate<String> tables) {}

    /** A table of what was restored is not wanted after all. Task thread, before the first flush. */
    void drop(final String section) {
        dropped.add(section);
        attributes.remove(section);
        hasForeignTables |= !restored.isEmpty();
    }

    boolean isRestored() {
        return !restored.isEmpty();
    }

    /** Opens what was restored. Task thread, before the first flush. */
    RestoredChains openRestored() {
        final RestoredChains chains = open();
        chains.tables().forEach(table -> attributes.put(table.section(), table.attributes()));
        hasForeignTables = chains.haveForeignTables();
        return chains;
    }

    /**
     * One task's chain goes on as long as its tables have the same attributes and all are wanted. The chains of several do not make
     * one, and a chain can't say two things of one table: then a new base comes before anything is added.
     */
    private void continueChain(final long checkpointId, final List<TableName> tables) {
        final boolean isOneChain = restored.size() < 2 && !hasForeignTables && !haveNewAttributes(tables);
        if (!isOneChain) {
            final SegmentHandle base = writeBase(checkpointId, tables);
            segments.clear();
            segments.add(base);
        } else if (!restored.isEmpty()) {
            segments.addAll(restored.get(0).chain());
        }
        restored.clear();
        hasForeignTables = false;
        tables.stream().filter(TableName::isKept).forEach(table -> attributes.put(table.section(), table.attributes()));
    }

    private boolean haveNewAttributes(final List<TableName> tables) {
        return tables.stream()
                .anyMatch(table -> !attributes
                        .getOrDefault(table.section(), table.attributes())
                        .equals(table.attributes()));
    }

    private SegmentHandle writeBase(final long checkpointId, final List<TableName> tables) {
        final Location place = shared.create(checkpointId, "base");
        return writeBase(place, tables);
    }

    private SegmentHandle writeBase(final Location place, final List<TableName> tables) {
        try (RestoredChains chains = open();
                PageSegmentWriter writer = create(place)) {
            chains.writeBase(writer, tables, firstKeyGroup, endKeyGroup);
            return writer.finish();
        }
    }

    /**
     * Writes all of the state as of the last flush into a file of a savepoint, which the chain does not go on from. After a
     * {@link #flush} for the savepoint.
     *
     * @param tables as of that flush.
     */
    SegmentHandle writeOwn(final long checkpointId, final List<TableName> tables) {
        return writeBase(shared.createOwn(checkpointId, "base"), tables);
    }

    /** The chain as of the last flush, or as it was restored. */
    private List<SegmentHandle> segments() {
        return List.copyOf(segments);
    }

    /** Writes what changed and makes it durable; the chain that holds all of it. */
    List<SegmentHandle> flush(final long checkpointId, final FrozenPages frozen) {
        if (frozen.isClosed()) {
            throw new IllegalStateException("the frozen state is closed");
        }
        final long[] frames = frozen.frames();
        continueChain(checkpointId, frozen.tables());
        if (frames.length > 0) {
            final Location place = shared.create(checkpointId, "delta");
            try (PageSegmentWriter writer = create(place)) {
                new SortedPages(frames, firstKeyGroup, endKeyGroup).writeTo(writer, frozen.tables());
                segments.add(writer.finish());
            }
        }
        frozen.durable();
        mergeIfDue(checkpointId);
        return segments();
    }

    private PageSegmentWriter create(final Location place) {
        return PageSegmentWriter.create(place.files(), place.path(), place.name(), settings.maxBytesPerSecond());
    }

    /** What changed is durable by now: if there is no space to merge it, the checkpoint rests on the chain as it is. */
    private void mergeIfDue(final long checkpointId) {
        final int from =
                policy.mergeFrom(segments.stream().map(SegmentHandle::length).toList());
        if (from == segments.size()) {
            return;
        }
        final List<SegmentHandle> run = segments.subList(from, segments.size());
        final SegmentHandle merged;
        try {
            merged = merge(checkpointId, run, from == 0);
        } catch (final SnapshotException e) {
            LOGGER.log(Level.WARNING, "segments not merged: count=" + run.size() + " reason=" + e.getMessage());
            return;
        }
        run.clear();
        segments.add(merged);
    }

    private SegmentHandle merge(final long checkpointId, final List<SegmentHandle> run, final boolean isWhole) {
        final Location place = shared.create(checkpointId, "merged");
        try (PageChain chain = open(run);
                PageSegmentWriter writer = create(place)) {
            if (isWhole) {
                chain.compact(writer, firstKeyGroup, endKeyGroup);
            } else {
                chain.merge(writer, firstKeyGroup, endKeyGroup);
            }
            return writer.finish();
        }
    }

    /** Opens the state as of the last flush, or as it was restored. */
    RestoredChains open() {
        if (restored.isEmpty()) {
            return new RestoredChains(List.of(new RestoredChains.Part(open(segments), firstKeyGroup, endKeyGroup)));
        }
        final List<RestoredChains.Part> parts = new ArrayList<>();
        // Whoever reads ahead goes on reading when a table is dropped.
        final Set<String> gone = Set.copyOf(dropped);
        try {
            for (final RestoredPart part : restored) {
                parts.add(new RestoredChains.Part(
                        open(part.chain()),
                        part.firstKeyGroup(),
                        part.endKeyGroup(),
                        section -> !gone.contains(section) && part.tables().test(new TableName(section, "").name())));
            }
            return new RestoredChains(parts);
        } catch (final RuntimeException e) {
            parts.forEach(part -> part.chain().close());
            throw e;
        }
    }

    private PageChain open(final List<SegmentHandle> handles) {
        final List<PageSegmentReader> readers = new ArrayList<>();
        try {
            for (final SegmentHandle handle : handles) {
                readers.add(PageSegmentReader.open(shared.files(), shared.path(handle), handle));
            }
            return new PageChain(readers);
        } catch (final RuntimeException e) {
            for (final PageSegmentReader reader : readers) {
                try {
                    reader.close();
                } catch (final FileException suppressed) {
                    e.addSuppressed(suppressed);
                }
            }
            throw e;
        }
    }
}
