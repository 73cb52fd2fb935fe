package io.weir.engine.recovery;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.barrier.BarrierOptions;
import io.weir.engine.coordinator.CheckpointKind;
import io.weir.engine.status.TaskCheckpoint;
import io.weir.storage.snapshot.Manifest.TaskPart;
import java.nio.file.Path;

/** What the tasks have handed in for one pending checkpoint, and how it stands. The job's thread. */
final class PendingParts {
    final TaskPart[] byTask;
    final TaskCheckpoint[] costs;
    final CheckpointKind kind;
    final long triggerTimeNs;
    final int options;
    Path savepoint;
    String declinedBy;
    String storeFailure;
    boolean hasAskedFinished;
    boolean storeWanted;
    boolean publishing;

    private PendingParts(
            final int tasks, final CheckpointKind kind, final long triggerTimeNs, final int optionsOfKind) {
        byTask = new TaskPart[tasks];
        costs = new TaskCheckpoint[tasks];
        this.kind = kind;
        this.triggerTimeNs = triggerTimeNs;
        options = kind.isLast() ? BarrierOptions.last(optionsOfKind) : optionsOfKind;
    }

    static PendingParts ofCheckpoint(
            final int tasks, final CheckpointKind kind, final long triggerTimeNs, final int options) {
        return new PendingParts(tasks, kind, triggerTimeNs, options);
    }

    static PendingParts ofSavepoint(
            final int tasks,
            final CheckpointKind kind,
            final long triggerTimeNs,
            final int options,
            final SavepointFormat format) {
        return new PendingParts(
                tasks,
                kind,
                triggerTimeNs,
                format == SavepointFormat.NATIVE ? BarrierOptions.nativeForm(options) : options);
    }

    boolean isWhole() {
        for (final TaskPart part : byTask) {
            if (part == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether somebody waits for it to be published, which has not begun. */
    boolean waitsForParts() {
        return storeWanted && !publishing;
    }
}
