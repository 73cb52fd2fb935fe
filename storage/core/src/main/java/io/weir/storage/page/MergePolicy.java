package io.weir.storage.page;

import java.util.List;

/**
 * Decides which segments of a chain to merge. The changes are merged into the base when they outgrow it by a factor: then
 * restoring and keeping the chain costs more than writing the state anew. Before that, small segments are merged among
 * themselves, {@value #FAN} of about a size into one of the next, so that each byte is written a few times only and the chain
 * stays short. Pure.
 */
final class MergePolicy {
    /** Segments of a tier that are merged into one. */
    static final int FAN = 16;

    private static final long SMALLEST_TIER = 64 * 1024;
    private static final int TIER_SHIFT = 4;
    private static final int TIERS = 12;

    private final double factor;

    MergePolicy(final double factor) {
        this.factor = factor;
    }

    /**
     * Decides.
     *
     * @param lengths of the segments in bytes, oldest first.
     * @return the index of the first of those to merge, all newer ones with it; their number if there is nothing to do.
     */
    int mergeFrom(final List<Long> lengths) {
        final int count = lengths.size();
        if (count < 2) {
            return count;
        }
        final long changes =
                lengths.subList(1, count).stream().mapToLong(Long::longValue).sum();
        if (changes > Math.max(SMALLEST_TIER, factor * lengths.get(0))) {
            return 0;
        }
        long tierBegin = 0;
        long tierEnd = SMALLEST_TIER;
        for (int tier = 0; tier < TIERS; tier++) {
            int from = count;
            int ofTier = 0;
            while (from > 1 && lengths.get(from - 1) <= tierEnd) {
                from--;
                ofTier += lengths.get(from) > tierBegin ? 1 : 0;
            }
            if (ofTier >= FAN) {
                return from;
            }
            tierBegin = tierEnd;
            tierEnd <<= TIER_SHIFT;
        }
        return count;
    }
}
