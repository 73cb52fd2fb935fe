package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MergePolicyTest {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    private final MergePolicy policy = new MergePolicy(1.0);

    @Test
    void shouldLeaveShortChainsAlone() {
        assertEquals(0, policy.mergeFrom(List.of()));
        assertEquals(1, policy.mergeFrom(List.of(KIB)));
        assertEquals(3, policy.mergeFrom(List.of(100 * MIB, 50 * MIB, 50 * MIB)));
    }

    @Test
    void shouldMergeEverythingOnceChangesOutgrowTheBase() {
        assertEquals(0, policy.mergeFrom(List.of(100 * MIB, 50 * MIB, 50 * MIB, KIB)));
        assertEquals(4, new MergePolicy(2.0).mergeFrom(List.of(100 * MIB, 50 * MIB, 50 * MIB, KIB)));
    }

    @Test
    void shouldMergeManySmallSegmentsIntoOne() {
        final List<Long> lengths = new ArrayList<>(List.of(1024 * MIB, 10 * MIB));
        lengths.addAll(Collections.nCopies(MergePolicy.FAN - 1, 10 * KIB));
        assertEquals(lengths.size(), policy.mergeFrom(lengths));

        lengths.add(10 * KIB);

        assertEquals(2, policy.mergeFrom(lengths));
    }

    @Test
    void shouldKeepChainsShortAndWriteEachByteAFewTimesOnly() {
        final List<Long> lengths = new ArrayList<>(List.of(1024 * MIB));
        long written = 0;
        int longest = 0;
        for (int checkpoint = 0; checkpoint < 10_000; checkpoint++) {
            lengths.add(100 * KIB);
            written += 100 * KIB;
            final int from = policy.mergeFrom(lengths);
            if (from < lengths.size()) {
                final List<Long> run = lengths.subList(from, lengths.size());
                final long merged = run.stream().mapToLong(Long::longValue).sum();
                run.clear();
                lengths.add(merged);
                written += merged;
            }
            longest = Math.max(longest, lengths.size());
        }

        assertTrue(longest < 80, "a chain of " + longest);
        assertTrue(written < 5L * 10_000 * 100 * KIB, written + " bytes written");
    }
}
