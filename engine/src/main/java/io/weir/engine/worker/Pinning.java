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
     * Pins the calling thread.
     *
     * @param core to run on.
     * @return whether the thread runs there now.
     */
    static boolean pin(final int core) {
        Affinity.setAffinity(core);
        return Affinity.getCpu() == core;
    }
}
