package io.weir.engine.barrier;

/** Measures one checkpoint at one task, from its first sign there. */
final class CheckpointMeter {
    private static final long NOT_YET = Long.MIN_VALUE;

    private final long startDelayNs;
    private final long startNs;
    private final long startBytes;
    private long alignedNs = NOT_YET;
    private long alignedBytes;
    private long cutNs = NOT_YET;
    private long takenNs = NOT_YET;
    private long persistedBytes;

    CheckpointMeter(long triggerTimeNs, long startNs, long processedBytes) {
        this.startDelayNs = Math.max(0, startNs - triggerTimeNs);
        this.startNs = startNs;
        this.startBytes = processedBytes;
    }

    void aligned(long nowNs, long processedBytes) {
        if (alignedNs == NOT_YET) {
            alignedNs = nowNs;
            alignedBytes = processedBytes;
        }
    }

    void cut(long nowNs) {
        cutNs = nowNs;
    }

    void taken(long nowNs) {
        takenNs = nowNs;
    }

    void persisted(long bytes) {
        persistedBytes += bytes;
    }

    long persistedBytes() {
        return persistedBytes;
    }

    BarrierMetrics metrics(long nowNs, long processedBytes, boolean unaligned) {
        boolean aligned = alignedNs != NOT_YET;
        return new BarrierMetrics(
                startDelayNs,
                Math.max(0, (aligned ? alignedNs : nowNs) - startNs),
                (aligned ? alignedBytes : processedBytes) - startBytes,
                persistedBytes,
                takenNs == NOT_YET ? 0 : Math.max(0, takenNs - cutNs),
                takenNs == NOT_YET ? 0 : Math.max(0, nowNs - takenNs),
                unaligned);
    }
}
