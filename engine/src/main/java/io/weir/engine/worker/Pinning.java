package io.weir.engine.worker;

import net.openhft.affinity.Affinity;

/** Pins threads to cores. The only class that sees the Affinity library, which an embedder has to bring if he wants pinning. */
final class Pinning {
    private Pinning() {}

    /**
     * Whether the library is there.
     *
     * @return true if so.
     */
    static boolean isAvailable() {
        try {
            Class.forName("net.openhft.affinity.Affinity", false, Pinning.class.getClassLoader());
            return true;
        } catch (final ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * The cores that the calling thread, and so the threads it starts, may run on.
     *
     * @return their numbers, ascending; they need not begin at 0.
     */
    static int[] cores() {
        return Affinity.getAffinity().stream().toArray();
    }

    /**
     * Pins the calling thread.
     *
     * @param core to run on.
     * @return whether the thread runs there now.
     */
    static boolean pin(final int core) {
        try {
            Affinity.setAffinity(core);
        } catch (final IllegalStateException refusedBySystem) {
            return false;
        }
        return Affinity.getCpu() == core;
    }
}
