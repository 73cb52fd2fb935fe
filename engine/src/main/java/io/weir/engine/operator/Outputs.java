package io.weir.engine.operator;

import io.weir.engine.api.OutputTag;
import java.util.ArrayList;
import java.util.List;

/**
 * The outputs of one operator: hands records of the main output and of each side output to their targets, and watermarks and
 * idleness of the operator to all targets once. Task thread only.
 */
public final class Outputs {
    private final List<Receiver<?>> main = new ArrayList<>();
    private final List<Receiver<?>> all = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();

    /** No targets yet: what is emitted is dropped. */
    public Outputs() {}

    /**
     * Adds a target. Before {@link #main()} and {@link #side} are called.
     *
     * @param tag of the side output, null for the main output.
     * @param target the next operator or edge.
     */
    public void add(final OutputTag<?> tag, final Receiver<?> target) {
        all.add(target);
        if (tag == null) {
            main.add(target);
        } else {
            sides.add(new Side(tag.name(), target));
        }
    }

    /**
     * The main output.
     *
     * @param <R> type of its records.
     * @return takes records for the main targets, and watermarks and idleness for all.
     */
    @SuppressWarnings("unchecked") // The planner has connected outputs and inputs of one type.
    public <R> Receiver<R> main() {
        if (main.size() == 1 && all.size() == 1) {
            return (Receiver<R>) main.get(0);
        }
        return new FanOut<>(main.toArray(new Receiver<?>[0]), all.toArray(new Receiver<?>[0]));
    }

    /**
     * A side output.
     *
     * @param tag of the output.
     * @param <R> type of its records.
     * @return takes records only: watermarks and idleness go by way of {@link #main()}.
     */
    @SuppressWarnings("unchecked") // The planner has connected outputs and inputs of one type.
    public <R> Receiver<R> side(final OutputTag<R> tag) {
        final List<Receiver<?>> targets = new ArrayList<>();
        for (final Side side : sides) {
            if (side.tag.equals(tag.name())) {
                targets.add(side.target);
            }
        }
        return new FanOut<>(targets.toArray(new Receiver<?>[0]), new Receiver<?>[0]);
    }

    private record Side(String tag, Receiver<?> target) {}

    private static final class FanOut<R> implements Receiver<R> {
        private final Receiver<R>[] records;
        private final Receiver<?>[] watermarks;

        @SuppressWarnings("unchecked") // As above.
        FanOut(final Receiver<?>[] records, final Receiver<?>[] watermarks) {
            this.records = (Receiver<R>[]) records;
            this.watermarks = watermarks;
        }

        @Override
        public void receive(final R value, final long timestampNs, final long sourceWatermarkNs) throws Exception {
            for (final Receiver<R> target : records) {
                target.receive(value, timestampNs, sourceWatermarkNs);
            }
        }

        @Override
        public void watermark(final long watermarkNs) throws Exception {
            for (final Receiver<?> target : watermarks) {
                target.watermark(watermarkNs);
            }
        }

        @Override
        public void idle() {
            for (final Receiver<?> target : watermarks) {
                target.idle();
            }
        }
    }
}
