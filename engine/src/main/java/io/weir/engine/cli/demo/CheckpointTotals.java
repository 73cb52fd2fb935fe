package io.weir.engine.cli.demo;

import org.HdrHistogram.Histogram;

/** Adds up the checkpoint figures of one process after the other; each tells its own so far. */
final class CheckpointTotals {
    private final Histogram durationNs = new Histogram(3);
    private long count;
    private long bytes;
    private ChildReport.Checkpoints current;

    void newProcess() {
        settle();
    }

    void update(final ChildReport.Checkpoints soFar) {
        current = soFar;
    }

    long count() {
        settle();
        return count;
    }

    long bytes() {
        settle();
        return bytes;
    }

    Histogram durationNs() {
        settle();
        return durationNs;
    }

    private void settle() {
        if (current != null) {
            count += current.count();
            bytes += current.bytes();
            durationNs.add(current.durationNs());
            current = null;
        }
    }
}
