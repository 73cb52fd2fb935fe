package io.weir.engine.barrier;

/** Measures one checkpoint at one task, from its first sign there. */
final class CheckpointMeter {
    private static final long NOT_YET = Long.MIN_VALUE;

    private final ProcessedBytes processed;
    private final long startDelayNs;
    private final long startNs;
    private final long startBytes;
    private long alignedNs = NOT_YET;
    private long alignedBytes;
    private long cutNs = NOT_YET;
    private long takenNs = NOT_YET;
    private long persistedBytes;

    CheckpointMeter(long triggerTimeNs, long startNs, ProcessedBytes processed) {
        this.processed = processed;
        this.startDelayNs = Math.max(0, startNs - triggerTimeNs);
        this.startNs = startNs;
        this.startBytes = processed.count();
    }

    void aligned(long nowNs) {
        if (alignedNs == NOT_YET) {
            alignedNs = nowNs;
            alignedBytes = processed.count();
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

    BarrierMetrics metrics(long nowNs, boolean unaligned) {
        boolean aligned = alignedNs != NOT_YET;
        return new BarrierMetrics(
                startDelayNs,
                Math.max(0, (aligned ? alignedNs : nowNs) - startNs),
                (aligned ? alignedBytes : processed.count()) - startBytes,
                persistedBytes,
                takenNs == NOT_YET ? 0 : Math.max(0, takenNs - cutNs),
                takenNs == NOT_YET ? 0 : Math.max(0, nowNs - takenNs),
                unaligned);
    }
}
