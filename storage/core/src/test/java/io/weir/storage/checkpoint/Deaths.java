package io.weir.storage.checkpoint;

import io.weir.storage.file.SimulatedFileStore;
import java.util.function.Consumer;

/** Every way in which a store can die: before and after each operation of its life, with the machine or with its process only. */
final class Deaths {
    private static final boolean[] EITHER = {true, false};

    private Deaths() {}

    /** One death after another; a failure names its own. */
    static void each(final int seeds, final long operations, final Consumer<Death> life) {
        for (int seed = 0; seed < seeds; seed++) {
            for (long operation = 1; operation <= operations; operation++) {
                for (final boolean before : EITHER) {
                    for (final boolean power : EITHER) {
                        final Death death = new Death(seed, operation, before, power);
                        try {
                            life.accept(death);
                        } catch (final AssertionError | RuntimeException e) {
                            throw new AssertionError(death + ": " + e, e);
                        }
                    }
                }
            }
        }
    }

    /**
     * One death.
     *
     * @param seed of the disk.
     * @param operation on the disk at which it comes.
     * @param before whether it comes before that, else after it.
     * @param power whether the machine dies, so that what was not forced may be lost.
     */
    record Death(int seed, long operation, boolean before, boolean power) {
        /** A new disk that it is going to happen on. */
        SimulatedFileStore disk() {
            final SimulatedFileStore disk = new SimulatedFileStore(seed);
            if (before) {
                disk.crashBefore(operation);
            } else {
                disk.crashAfter(operation);
            }
            return disk;
        }

        /** What was not forced is lost, or only the process is gone. */
        void bury(final SimulatedFileStore disk) {
            if (power) {
                disk.crash();
            } else {
                disk.kill();
            }
        }

        @Override
        public String toString() {
            return (power ? "machine" : "process") + " dies " + (before ? "before" : "after") + " operation "
                    + operation + ", seed " + seed;
        }
    }
}
