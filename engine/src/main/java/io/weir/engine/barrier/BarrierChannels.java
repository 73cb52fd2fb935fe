package io.weir.engine.barrier;

import java.util.BitSet;

/**
 * The channels of one task: those of all its gates numbered through, and likewise those of all its outputs.
 *
 * @param inputs count, 0 for a source.
 * @param keptInputs those on edges of {@link EdgeOrder#KEPT}; not to be changed.
 * @param outputs count.
 * @param keptOutputs those on edges of {@link EdgeOrder#KEPT}; not to be changed.
 */
public record BarrierChannels(int inputs, BitSet keptInputs, int outputs, BitSet keptOutputs) {
    /** Checks the ranges. */
    public BarrierChannels {
        check("inputs", inputs, keptInputs);
        check("outputs", outputs, keptOutputs);
    }

    /**
     * Channels that barriers may overtake data on.
     *
     * @param inputs count.
     * @param outputs count.
     * @return the channels.
     */
    public static BarrierChannels of(int inputs, int outputs) {
        return new BarrierChannels(inputs, new BitSet(), outputs, new BitSet());
    }

    private static void check(String name, int count, BitSet kept) {
        if (count < 0) {
            throw new IllegalArgumentException(name + "=" + count + " must be >= 0");
        }
        if (kept.length() > count) {
            throw new IllegalArgumentException("kept " + name + " " + kept + " must be in [0, " + count + ")");
        }
    }
}
