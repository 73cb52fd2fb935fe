package io.weir.engine.harness;

import io.weir.engine.operator.SourcePartitions;
import java.util.HashSet;
import java.util.Set;

/** Source partitions that a test speaks for. */
public final class HarnessPartitions implements SourcePartitions {
    private final int[] partitions;
    private final Set<Integer> ended = new HashSet<>();
    private int current;

    /** Partitions with the given indices in their log. */
    public HarnessPartitions(final int... partitions) {
        this.partitions = partitions.clone();
    }

    /** The next record comes from this partition. */
    public void current(final int ordinal) {
        current = ordinal;
    }

    /** Nothing comes from this partition any more. */
    public void end(final int ordinal) {
        ended.add(ordinal);
    }

    @Override
    public int count() {
        return partitions.length;
    }

    @Override
    public int partition(final int ordinal) {
        return partitions[ordinal];
    }

    @Override
    public boolean ended(final int ordinal) {
        return ended.contains(ordinal);
    }

    @Override
    public int currentOrdinal() {
        return current;
    }
}
