package io.weir.engine.harness;

import io.weir.engine.operator.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Keeps what an operator emits, and blocks when its slots are full. Outlives the operator, as what was sent does. */
public final class HarnessOutput implements Receiver<Object> {
    private final List<Emission> records = new ArrayList<>();
    private final List<Long> watermarks = new ArrayList<>();
    private final UnaryOperator<Object> copy;
    private int idles;
    private int slots = Integer.MAX_VALUE;
    private int used;

    HarnessOutput(final UnaryOperator<Object> copy) {
        this.copy = copy;
    }

    void slots(final int newSlots) {
        slots = newSlots;
    }

    boolean isBlocked() {
        return used >= slots;
    }

    void drain() {
        used = 0;
    }

    @Override
    public void receive(final Object value, final long timestampNs, final long sourceWatermarkNs) {
        used++;
        records.add(new Emission(copy.apply(value), timestampNs, sourceWatermarkNs));
    }

    @Override
    public void watermark(final long watermarkNs) {
        watermarks.add(watermarkNs);
    }

    @Override
    public void idle() {
        idles++;
    }

    /** The records so far. */
    public List<Emission> records() {
        return records;
    }

    /** The values of the records so far. */
    public List<Object> values() {
        return records.stream().map(Emission::value).toList();
    }

    /** The watermarks so far. */
    public List<Long> watermarks() {
        return watermarks;
    }

    /** The last watermark. */
    public long watermark() {
        return watermarks.isEmpty() ? Long.MIN_VALUE : watermarks.get(watermarks.size() - 1);
    }

    /** How often the operator said that it is idle. */
    public int idles() {
        return idles;
    }
}
