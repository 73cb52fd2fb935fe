package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.operator.Receiver;
import io.weir.engine.operator.TwoInputOperator;
import io.weir.engine.time.WatermarkMerger;
import io.weir.transport.ControlHandler;
import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;

/** Reads the channels of upstream tasks: records go to the chain, watermarks are merged, barriers go to their handler. */
final class GateInput implements TaskInput, InputHandler, ControlHandler {
    private final TaskEnvironment environment;
    private final InputGate gate;
    private final Codec<?>[] codecs;
    private final boolean[] second;
    private final TaskBarriers barriers;
    private final RestoredRecords records;
    private final boolean finished;
    private final WatermarkMerger watermarks;
    private Receiver<Object> entry;
    private TwoInputOperator<Object, Object> twoInputs;
    private int running;
    private long watermarkNs;
    private boolean restoring;

    /**
     * An input.
     *
     * @param codecs one per channel, this task's own instances.
     * @param second per channel, whether its records go to the second input of the head of the chain.
     * @param records that come before all others.
     */
    GateInput(
            final TaskEnvironment environment,
            final InputGate gate,
            final Codec<?>[] codecs,
            final boolean[] second,
            final TaskBarriers barriers,
            final RestoredRecords records,
            final boolean finished) {
        this.environment = environment;
        this.gate = gate;
        this.codecs = codecs;
        this.second = second;
        this.barriers = barriers;
        this.records = records;
        this.finished = finished;
        running = gate.channelCount();
        watermarkNs = environment.restored().watermarkNs();
        watermarks = new WatermarkMerger(running, watermarkNs);
    }

    @SuppressWarnings("unchecked") // The planner has connected outputs and inputs of one type.
    void wire(final Receiver<Object> chainEntry) {
        entry = chainEntry;
        twoInputs = chainEntry instanceof TwoInputOperator<?, ?> operator
                ? (TwoInputOperator<Object, Object>) operator
                : null;
    }

    @Override
    public void open() throws Exception {
        if (!records.isEmpty()) {
            restoring = true;
            barriers.onChannelStateRestoring();
        }
        if (!finished && watermarkNs > Long.MIN_VALUE) {
            entry.watermark(watermarkNs);
        }
    }

    @Override
    public int pollControl(final long nowNs) {
        return finished ? 0 : gate.pollControl(this);
    }

    @Override
    public int poll(final long nowNs, final int limit) throws Exception {
        return restoring ? pollRestored(limit) : gate.poll(this, limit);
    }

    /** What was in flight at the checkpoint comes before anything new. */
    private int pollRestored(final int limit) throws Exception {
        final int count = records.deliver(limit, (edge, value, timestampNs, sourceWatermarkNs) -> {
            receive(edge.input() == 1, value, timestampNs, sourceWatermarkNs);
            return !environment.outputs().isBlocked();
        });
        if (records.isEmpty()) {
            restoring = false;
            barriers.onChannelStateRestored();
        }
        return count;
    }

    private void receive(
            final boolean isSecond, final Object value, final long timestampNs, final long sourceWatermarkNs)
            throws Exception {
        if (isSecond) {
            twoInputs.receiveSecond(value, timestampNs, sourceWatermarkNs);
        } else {
            entry.receive(value, timestampNs, sourceWatermarkNs);
        }
    }

    @Override
    public void onAnnouncement(
            final int channelIndex,
            final long checkpointId,
            final long triggerTimeNs,
            final int options,
            final long position) {
        barriers.onAnnouncement(channelIndex, checkpointId, triggerTimeNs, options, position);
    }

    @Override
    public boolean onRecord(
            final int channelIndex,
            final long timestampNs,
            final long sourceWatermarkNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final boolean advanced = watermarks.onActive(channelIndex);
        try {
            final Object value = codecs[channelIndex].decode(buffer, offset, length);
            receive(second[channelIndex], value, timestampNs, sourceWatermarkNs);
        } catch (final Exception e) {
            LangUtil.rethrowUnchecked(e);
        }
        barriers.processed(length);
        if (advanced) {
            forwardWatermark();
        }
        return !environment.outputs().isBlocked();
    }

    @Override
    public boolean onWatermark(final int channelIndex, final long channelWatermarkNs) {
        final boolean wasIdle = watermarks.isIdle();
        if (watermarks.onWatermark(channelIndex, channelWatermarkNs)) {
            forwardWatermark();
        }
        forwardIdle(wasIdle);
        return !environment.outputs().isBlocked();
    }

    @Override
    public boolean onIdle(final int channelIndex) {
        final boolean wasIdle = watermarks.isIdle();
        if (watermarks.onIdle(channelIndex)) {
            forwardWatermark();
        }
        forwardIdle(wasIdle);
        return !environment.outputs().isBlocked();
    }

    @Override
    public boolean onBarrier(
            final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
        barriers.onBarrier(channelIndex, checkpointId, triggerTimeNs, options);
        return false;
    }

    @Override
    public boolean onCancellation(final int channelIndex, final long checkpointId) {
        barriers.onCancellation(channelIndex, checkpointId);
        return false;
    }

    @Override
    public boolean onEndOfData(final int channelIndex) {
        running--;
        barriers.onEndOfData(channelIndex);
        final boolean wasIdle = watermarks.isIdle();
        if (watermarks.onEnd(channelIndex)) {
            forwardWatermark();
        }
        forwardIdle(wasIdle);
        return false;
    }

    @Override
    public boolean isEnded() {
        return running == 0;
    }

    @Override
    public boolean isRestoredFinished() {
        return finished;
    }

    @Override
    public long watermarkNs() {
        return watermarkNs;
    }

    @Override
    public void beforeFreeze() {
        // All that this input knows is the watermark, which the snapshot takes by itself.
    }

    @Override
    public List<String> uids(final Chain chain) {
        return chain.uids();
    }

    @Override
    public void close() {
        gate.close();
    }

    /** The others are idle, and the one that was not has ended or become so too. */
    private void forwardIdle(final boolean wasIdle) {
        if (!wasIdle && watermarks.isIdle()) {
            entry.idle();
        }
    }

    private void forwardWatermark() {
        final long merged = watermarks.watermarkNs();
        if (merged <= watermarkNs) {
            return;
        }
        watermarkNs = merged;
        try {
            entry.watermark(merged);
        } catch (final Exception e) {
            LangUtil.rethrowUnchecked(e);
        }
    }
}
