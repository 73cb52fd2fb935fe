package io.weir.transport;

/** A handler that looks at records; whatever else comes, it goes on. */
public interface RecordsOnly extends InputHandler {
    @Override
    default boolean onWatermark(final int channelIndex, final long watermarkNs) {
        return true;
    }

    @Override
    default boolean onIdle(final int channelIndex) {
        return true;
    }

    @Override
    default boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        return true;
    }

    @Override
    default boolean onCancellation(final int channelIndex, final long checkpointId) {
        return true;
    }

    @Override
    default boolean onEndOfData(final int channelIndex) {
        return true;
    }
}
