package io.weir.storage.checkpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which shared segments there are and which checkpoints need them, by physical file. A file is needed while a manifest that is
 * published, or may be, names it. One that none names is not needed any more once a checkpoint has completed that is as new as
 * it or newer: a task's later manifests name every older file that its state still rests on, and never one that an earlier
 * manifest had dropped. Decides only, touches no disk. Guarded by its owner.
 */
final class SharedFiles {
    private final Map<String, SharedFile> byName = new HashMap<>();
    private final Map<Long, List<SharedFile>> neededBy = new HashMap<>();
    private final Set<Long> unread = new HashSet<>();

    /** Takes down a file that was or will be made for a checkpoint. Says whether it was new. */
    boolean add(final String file, final long checkpointId) {
        return byName.putIfAbsent(file, new SharedFile(file, checkpointId)) == null;
    }

    /** A manifest may be there but can't be read: nothing is given up before it is released. */
    void unreadable(final long checkpointId) {
        unread.add(checkpointId);
    }

    /** The first of the files that is not there, or was given up; null if all are. */
    String firstMissing(final Collection<String> files) {
        for (final String file : files) {
            if (!byName.containsKey(file)) {
                return file;
            }
        }
        return null;
    }

    /** A manifest names files; those that are not there are left out. Until {@link #release} they are needed. */
    void need(final long checkpointId, final Collection<String> files) {
        final List<SharedFile> needed = new ArrayList<>(files.size());
        for (final String file : files) {
            final SharedFile there = byName.get(file);
            if (there != null) {
                there.needs++;
                needed.add(there);
            }
        }
        neededBy.put(checkpointId, needed);
    }

    /** Those files that a checkpoint needs and that nobody has {@link #settled} yet. */
    List<String> unsettled(final long checkpointId) {
        return neededBy.getOrDefault(checkpointId, List.of()).stream()
                .filter(file -> !file.settled)
                .map(file -> file.name)
                .toList();
    }

    /** The files that a checkpoint needs, and their names, are durable. */
    void settled(final long checkpointId) {
        neededBy.getOrDefault(checkpointId, List.of()).forEach(file -> file.settled = true);
    }

    /** A checkpoint's manifest is durably gone, or never was. */
    void release(final long checkpointId) {
        unread.remove(checkpointId);
        final List<SharedFile> needed = neededBy.remove(checkpointId);
        if (needed != null) {
            needed.forEach(file -> file.needs--);
        }
    }

    /** A checkpoint came to nothing before its tasks knew of its files: they are gone. */
    void forget(final long checkpointId, final Collection<String> files) {
        release(checkpointId);
        byName.keySet().removeAll(files);
    }

    /**
     * Gives up the files that are not needed any more.
     *
     * @param completedId the newest completed checkpoint; larger than any if no manifest can follow that rests on old files.
     * @return their names; no manifest may name them from now on.
     */
    List<String> giveUp(final long completedId) {
        final List<String> names = new ArrayList<>();
        if (unread.isEmpty()) {
            for (final Iterator<SharedFile> all = byName.values().iterator(); all.hasNext(); ) {
                final SharedFile file = all.next();
                if (file.needs == 0 && file.checkpointId <= completedId) {
                    names.add(file.name);
                    all.remove();
                }
            }
        }
        return names;
    }

    private static final class SharedFile {
        private final String name;
        private final long checkpointId;
        private int needs;
        private boolean settled;

        SharedFile(final String name, final long checkpointId) {
            this.name = name;
            this.checkpointId = checkpointId;
        }
    }
}
