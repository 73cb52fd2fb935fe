package io.weir.engine.operator;

import io.weir.engine.time.KeyedTimers;

/**
 * Fires an operator's event-time timers when the watermark rises, one by one, and stops where the outputs block; the watermark
 * goes on to the output behind the last timer that it makes due. Task thread only.
 */
final class EventTimeTimers {
    private final KeyedTimers timers;
    private final Firing firing;
    private final OperatorContext context;
    private final Receiver<?> output;
    private long watermarkNs = Long.MIN_VALUE;
    private boolean pending;

    EventTimeTimers(
            final KeyedTimers timers, final Firing firing, final OperatorContext context, final Receiver<?> output) {
        this.timers = timers;
        this.firing = firing;
        this.context = context;
        this.output = output;
    }

    /** The watermark that was last seen, whether or not it has gone on. */
    long watermarkNs() {
        return watermarkNs;
    }

    /** The same watermark may come again, after a restore. */
    void onWatermark(final long newWatermarkNs) throws Exception {
        watermarkNs = Math.max(watermarkNs, newWatermarkNs);
        pending = true;
        resume();
    }

    /** Goes on with what is due; returns whether all of it is done. */
    boolean resume() throws Exception {
        if (!pending) {
            return true;
        }
        while (timers.poll(watermarkNs)) {
            firing.fire(timers);
            if (context.outputBlocked()) {
                return false;
            }
        }
        pending = false;
        output.watermark(watermarkNs);
        return true;
    }

    /** What a timer does. */
    @FunctionalInterface
    interface Firing {
        void fire(KeyedTimers due) throws Exception;
    }
}
