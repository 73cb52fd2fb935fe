package io.weir.engine.cli.inspect;

import io.weir.engine.operator.SubtaskLists;
import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.inspect.CheckpointInspection;
import io.weir.storage.inspect.CheckpointOverview;
import io.weir.storage.inspect.InspectedFile;
import io.weir.storage.inspect.InspectedSection;
import io.weir.storage.inspect.InspectedTable;
import io.weir.storage.inspect.InspectedTask;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.state.CodecText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What there is in a job's folder and in one checkpoint. */
public final class CheckpointReport {
    private static final String NONE = "-";

    private final PrintWriter out;

    /**
     * A report.
     *
     * @param out takes it.
     */
    public CheckpointReport(final PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints the checkpoints and savepoints of a folder.
     *
     * @param folder of a job.
     */
    public void printList(final CheckpointFolder folder) {
        out.println("folder           " + folder.path());
        final Columns lines = new Columns(
                "checkpoint",
                "ID",
                "KIND",
                "STATUS",
                "TRIGGERED",
                "ATTEMPT",
                "BACKEND",
                "TASKS",
                "PARALLELISM",
                "OWN-BYTES",
                "SHARED-BYTES",
                "NEWEST");
        final List<CheckpointOverview> overviews = CheckpointOverview.list(folder);
        final long newest = overviews.stream()
                .filter(overview -> overview.isCompleted() && !overview.isSavepoint())
                .mapToLong(CheckpointOverview::checkpointId)
                .max()
                .orElse(0);
        overviews.forEach(
                overview -> addOverview(lines, overview, overview.checkpointId() == newest && !overview.isSavepoint()));
        lines.print(out);
    }

    private static void addOverview(final Columns lines, final CheckpointOverview overview, final boolean isNewest) {
        final Manifest manifest = overview.manifest();
        final String id = String.valueOf(overview.checkpointId());
        final String kind = overview.isSavepoint() ? "savepoint" : "checkpoint";
        final String newest = isNewest ? "newest" : NONE;
        if (manifest == null) {
            final String status = overview.isCompleted() ? "damaged" : "pending";
            lines.add(id, kind, status, NONE, NONE, NONE, NONE, NONE, NONE, NONE, newest);
        } else {
            lines.add(
                    id,
                    kind,
                    "completed",
                    Instant.ofEpochMilli(manifest.triggerTimeMs()).toString(),
                    String.valueOf(manifest.attempt()),
                    manifest.stateBackend(),
                    String.valueOf(manifest.tasks().size()),
                    String.valueOf(overview.parallelism()),
                    String.valueOf(overview.ownBytes()),
                    String.valueOf(overview.sharedBytes()),
                    newest);
        }
    }

    /**
     * Prints one checkpoint.
     *
     * @param inspection of it.
     * @param allFiles whether all files are listed, or the damaged ones only.
     */
    public void print(final CheckpointInspection inspection, final boolean allFiles) {
        out.println();
        out.println("inspected        " + inspection.checkpointId());
        final Manifest manifest = inspection.manifest();
        if (manifest != null) {
            out.println("job              " + manifest.jobName());
            out.println("triggered        " + Instant.ofEpochMilli(manifest.triggerTimeMs()));
            out.println("attempt          " + manifest.attempt());
            out.println("max-parallelism  " + manifest.maxParallelism());
            out.println("state-backend    " + manifest.stateBackend());
        }
        out.println("damages          " + inspection.damages().size());
        printOperators(inspection);
        printTasks(inspection);
        printTables(inspection);
        printLists(inspection);
        SubtaskSections.channels(inspection).print(out);
        printSections(inspection);
        printFiles(inspection, allFiles);
        final Columns damages = new Columns("damage", "FILE, OFFSET, EXPECTED, FOUND");
        inspection.damages().forEach(damages::add);
        damages.print(out);
    }

    private void printOperators(final CheckpointInspection inspection) {
        final Columns lines = new Columns("operator", "UID", "VERTEX", "PARALLELISM");
        inspection.tasks().stream()
                .map(InspectedTask::part)
                .filter(Objects::nonNull)
                .flatMap(part -> part.operatorUids().stream()
                        .map(uid -> List.of(uid, part.vertexUid(), String.valueOf(part.parallelism()))))
                .distinct()
                .forEach(line -> lines.add(line.toArray(String[]::new)));
        lines.print(out);
    }

    private void printTasks(final CheckpointInspection inspection) {
        final Columns lines = new Columns(
                "task",
                "NAME",
                "PARALLELISM",
                "FINISHED",
                "KEY-GROUPS",
                "BYTES",
                "CHAIN-FILES",
                "CHAIN-BYTES",
                "WATERMARK-NS");
        for (final InspectedTask task : inspection.tasks()) {
            final boolean isKnown = task.part() != null;
            lines.add(
                    task.name(),
                    isKnown ? String.valueOf(task.part().parallelism()) : NONE,
                    isKnown ? task.part().finished() ? "yes" : "no" : NONE,
                    isKnown ? task.firstKeyGroup() + ".." + (task.endKeyGroup() - 1) : NONE,
                    task.segment() == null ? "0" : String.valueOf(task.segment().bytes()),
                    String.valueOf(task.chain().size()),
                    String.valueOf(task.chain().stream()
                            .mapToLong(InspectedFile::bytes)
                            .sum()),
                    SubtaskSections.watermark(inspection, task));
        }
        lines.print(out);
    }

    private void printFiles(final CheckpointInspection inspection, final boolean all) {
        final Columns lines = new Columns("file", "TASK", "KIND", "BYTES", "ENTRIES", "STATUS", "NAME");
        for (final InspectedTask task : inspection.tasks()) {
            if (task.segment() != null && (all || !task.segment().isIntact())) {
                addFile(lines, task, "own", task.segment());
            }
            for (final InspectedFile file : task.chain()) {
                if (all || !file.isIntact()) {
                    addFile(lines, task, "shared", file);
                }
            }
        }
        lines.print(out);
    }

    private static void addFile(
            final Columns lines, final InspectedTask task, final String kind, final InspectedFile file) {
        lines.add(
                task.name(),
                kind,
                String.valueOf(file.bytes()),
                file.entries() < 0 ? NONE : String.valueOf(file.entries()),
                status(file.isIntact()),
                file.name());
    }

    private void printTables(final CheckpointInspection inspection) {
        final Columns states = new Columns(
                "state",
                "TASK",
                "NAME",
                "KEY-GROUPS",
                "ENTRIES",
                "BYTES",
                "STATUS",
                "KEY-VERSION",
                "KEY-CODEC",
                "VALUE-VERSION",
                "VALUE-CODEC");
        final Columns timers = new Columns(
                "timers", "TASK", "NAME", "KEY-GROUPS", "ENTRIES", "BYTES", "STATUS", "KEY-VERSION", "KEY-CODEC");
        for (final InspectedTask task : inspection.tasks()) {
            for (final InspectedTable table : task.tables()) {
                final String keyGroups = String.valueOf(table.keyGroups());
                final String entries = String.valueOf(table.entries());
                final String bytes = String.valueOf(table.bytes());
                final String status = status(table.isIntact());
                if (table.isTimers()) {
                    final boolean isKnown = !table.keyCodec().isEmpty();
                    timers.add(
                            task.name(),
                            table.name(),
                            keyGroups,
                            entries,
                            bytes,
                            status,
                            isKnown ? String.valueOf(table.keyVersion()) : NONE,
                            isKnown ? table.keyCodec() : NONE);
                } else {
                    states.add(
                            task.name(),
                            table.name(),
                            keyGroups,
                            entries,
                            bytes,
                            status,
                            String.valueOf(table.keyVersion()),
                            table.keyCodec(),
                            String.valueOf(table.valueVersion()),
                            table.valueCodec());
                }
            }
        }
        states.print(out);
        timers.print(out);
    }

    /** The lists of functions and the broadcast states, which belong to a subtask and not to keys. */
    private void printLists(final CheckpointInspection inspection) {
        final Columns lines = new Columns(
                "list", "TASK", "NAME", "KIND", "ENTRIES", "KEY-VERSION", "KEY-CODEC", "VALUE-VERSION", "VALUE-CODEC");
        for (final InspectedTask task : inspection.tasks()) {
            for (final InspectedSection section : task.sections()) {
                final SubtaskLists lists = SubtaskLists.of(section.name());
                if (lists != null) {
                    inspection.forEachOfSection(
                            task.name(),
                            section.name(),
                            (keyGroup, buffer, offset, length) -> lists.add(buffer, offset, length));
                    lists.summaries().forEach(list -> addList(lines, task, list));
                }
            }
        }
        lines.print(out);
    }

    private static void addList(final Columns lines, final InspectedTask task, final SubtaskLists.Summary list) {
        final boolean hasKeys = !list.keyCodec().isEmpty();
        lines.add(
                task.name(),
                list.name(),
                list.kind().name().toLowerCase(Locale.ROOT),
                String.valueOf(list.entries()),
                hasKeys ? String.valueOf(CodecText.parse(list.keyCodec()).version()) : NONE,
                hasKeys ? list.keyCodec() : NONE,
                String.valueOf(CodecText.parse(list.valueCodec()).version()),
                list.valueCodec());
    }

    private void printSections(final CheckpointInspection inspection) {
        final Columns lines = new Columns("section", "TASK", "NAME", "ENTRIES", "BYTES", "STATUS", "ATTRIBUTES");
        for (final InspectedTask task : inspection.tasks()) {
            task.sections().stream()
                    .filter(section -> !SubtaskSections.isKnown(section))
                    .forEach(section -> lines.add(
                            task.name(),
                            section.name(),
                            String.valueOf(section.entries()),
                            String.valueOf(section.bytes()),
                            status(section.isIntact()),
                            section.attributes().isEmpty() ? NONE : section.attributes()));
        }
        lines.print(out);
    }

    private static String status(final boolean isIntact) {
        return isIntact ? "intact" : "damaged";
    }
}
