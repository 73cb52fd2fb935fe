package io.weir.engine.simulation;

import io.weir.engine.harness.ForwardingStore;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import java.util.List;
import java.util.function.Predicate;

/** Stores of checkpoints that make mistakes. */
final class StoreMistakes {
    private StoreMistakes() {}

    /** Some of what is in a checkpoint is restored more than once, or not at all. */
    static final class Repeats extends ForwardingStore {
        private final Predicate<String> section;
        private final int times;

        Repeats(final CheckpointStore store, final Predicate<String> section, final int times) {
            super(store);
            this.section = section;
            this.times = times;
        }

        @Override
        public SegmentReader openSegment(final SegmentHandle handle) {
            return new RepeatedSections(super.openSegment(handle), section, times);
        }
    }

    /** A checkpoint completes before its manifest is on the disk: that comes with the next one. */
    static final class PublishesLate extends ForwardingStore {
        private Manifest late;

        PublishesLate(final CheckpointStore store) {
            super(store);
        }

        @Override
        public void publish(final Manifest manifest) {
            if (late != null) {
                super.publish(late);
            }
            late = manifest;
        }

        @Override
        public void delete(final long checkpointId) {
            if (late == null || late.checkpointId() != checkpointId) {
                super.delete(checkpointId);
            }
        }
    }

    /** A restart takes the checkpoint before the newest, if there is one. */
    static final class RestoresOlder extends ForwardingStore {
        RestoresOlder(final CheckpointStore store) {
            super(store);
        }

        @Override
        public List<Long> completed() {
            final List<Long> completed = super.completed();
            return completed.size() > 1 ? completed.subList(0, completed.size() - 1) : completed;
        }
    }
}
